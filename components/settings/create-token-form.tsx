"use client";

import { CheckField, TextField } from "#components/form/fields.tsx";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { RoleSelect } from "#components/people/role-select.tsx";
import { useSession } from "#components/session/session.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import type { useCreateToken } from "#lib/client/pages/mutations.ts";
import { weakerRole } from "#lib/contract/people/role-scopes.ts";

const lifetimes = [7, 30, 90, 365, null];

/** A token's name, role and lifetime. */
export function CreateTokenForm({ create }: { create: ReturnType<typeof useCreateToken> }) {
  const { role: own } = useSession();
  const form = useNewForm({
    blank: { name: "", role: weakerRole("member", own), days: 90 as number | null, isReferenceStyle: false },
    bodyOf: ({ name, role, days, isReferenceStyle }) => ({
      ...{ name: name.trim(), role, status_style: isReferenceStyle ? ("reference" as const) : ("errand" as const) },
      ...(days !== null && { days }),
    }),
    mutation: create,
  });
  return (
    <form {...form.attributes} className="grid gap-4">
      <TextField
        {...form.field("name")}
        label="Name"
        required
        hint="What will use it, so you can recognize it later."
        placeholder="CI"
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <RoleSelect {...form.field("role")} roleMax={own} />
        <LifetimeField {...form.field("days")} choices={lifetimes} />
      </div>
      <CheckField
        {...form.field("isReferenceStyle")}
        label="Compatibility mode: reference status names"
        hint="For clients written for Codegen's API: a run's status is ACTIVE instead of running, and so on."
        error={form.errors.status_style}
      />
      <DialogSaveBar form={form.state} label="Create token" failure="The token could not be created" />
    </form>
  );
}
