"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useUpdateMe } from "#lib/client/profile-mutations.ts";
import type { User } from "#lib/contract/organization.ts";
import { PasswordField } from "./password-fields.tsx";

const fields = ["full_name", "email", "current_password"] as const;

/** Name and address. To change the address takes the password, for it is what one signs in with. */
export function ProfileForm({ me, hasPassword }: { me: User; hasPassword: boolean }) {
  const router = useRouter();
  const [name, setName] = useState(me.full_name ?? "");
  const [email, setEmail] = useState(me.email ?? "");
  const [password, setPassword] = useState("");
  const update = useUpdateMe();
  const errors = fieldMessages(update.error, fields);
  const changesEmail = email.trim() !== (me.email ?? "");
  const isChanged = changesEmail || name.trim() !== (me.full_name ?? "");

  function send(event: FormEvent) {
    event.preventDefault();
    const body = {
      ...(name.trim() !== (me.full_name ?? "") && { full_name: name }),
      ...(changesEmail && { email: email.trim() }),
      ...(changesEmail && password !== "" && { current_password: password }),
    };
    update.mutate(body, {
      onSuccess: () => {
        toast({ title: "Profile saved" });
        // The bar shows the name.
        router.refresh();
      },
    });
  }

  return (
    <form noValidate onSubmit={send} className="grid max-w-md gap-4">
      <Field label="Name" required error={errors.full_name}>
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="name" maxLength={100} />
      </Field>
      <Field label="Email" hint="You sign in with it. No mail is sent." error={errors.email}>
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      {changesEmail && hasPassword && (
        <PasswordField
          label="Current password"
          kind="current"
          value={password}
          onChange={setPassword}
          error={errors.current_password}
          hint="Needed to change the email address."
        />
      )}
      {update.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The profile was not saved" {...describeError(update.error)} />
      )}
      <div>
        <Button type="submit" pending={update.isPending} disabled={!isChanged}>
          Save
        </Button>
      </div>
    </form>
  );
}
