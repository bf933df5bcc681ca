"use client";

import { type FormEvent, useState } from "react";
import { RoleSelect } from "#components/people/role-select.tsx";
import { useSession } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { DialogCancel, DialogFooter } from "#components/ui/dialog.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import type { useCreateToken } from "#lib/client/mutations.ts";
import type { Role } from "#lib/contract/organization.ts";
import { weakerRole } from "#lib/contract/role-scopes.ts";

const fields = ["name", "role", "days", "status_style"] as const;
type Errors = Partial<Record<(typeof fields)[number] | "", string>>;

const lifetimes = [7, 30, 90, 365, null];

type CreateTokenFormProps = { create: ReturnType<typeof useCreateToken> };

/** A token's name, role and lifetime. */
export function CreateTokenForm({ create }: CreateTokenFormProps) {
  const { role: own } = useSession();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>(weakerRole("member", own));
  const [lifetime, setLifetime] = useState<number | null>(90);
  const [usesReferenceWords, setReferenceWords] = useState(false);
  const [errors, setErrors] = useState<Errors>({});

  function send(event: FormEvent) {
    event.preventDefault();
    const body = {
      name: name.trim(),
      role,
      ...(lifetime !== null && { days: lifetime }),
      status_style: usesReferenceWords ? ("reference" as const) : ("errand" as const),
    };
    setErrors({});
    create.mutate(body, { onError: (error) => setErrors(fieldMessages(error, fields)) });
  }

  const failure = Object.keys(errors).length === 0 ? create.error : null;
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Field label="Name" required error={errors.name} hint="What will use it, so you can recognize it later.">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" placeholder="CI" />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <RoleSelect value={role} roleMax={own} error={errors.role} onChange={setRole} />
        <LifetimeField value={lifetime} onChange={setLifetime} choices={lifetimes} error={errors.days} />
      </div>
      <InlineField
        label="Compatibility mode: reference status names"
        hint="For clients written for Codegen's API: a run's status is ACTIVE instead of running, and so on."
        error={errors.status_style}
      >
        <Checkbox checked={usesReferenceWords} onCheckedChange={(isChecked) => setReferenceWords(isChecked === true)} />
      </InlineField>
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {failure !== null && <ErrorAlert title="The token could not be created" {...describeError(failure)} />}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={create.isPending}>
          Create token
        </Button>
      </DialogFooter>
    </form>
  );
}
