"use client";

import { useRouter } from "next/navigation";
import { TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useUpdateMe } from "#lib/client/pages/profile-mutations.ts";
import type { User } from "#lib/contract/people/organization.ts";
import { PasswordField } from "./password-fields.tsx";

/** Name and address. Changing the address requires the password, because it is used for signing in. */
export function ProfileForm({ me, hasPassword }: { me: User; hasPassword: boolean }) {
  const router = useRouter();
  const { full_name, email, github_username } = me;
  const form = useSavedForm({
    saved: { full_name: full_name ?? "", email: email ?? "", github_username, current_password: "" },
    bodyOf: (values) => ({
      full_name: values.full_name.trim(),
      email: values.email.trim(),
      github_username: values.github_username.trim().replace(/^@/, "") || null,
    }),
    mutation: useUpdateMe(),
    requestOf: (changes, { values: { current_password } }) => ({
      ...changes,
      ...(changes.email !== undefined && current_password !== "" && { current_password }),
    }),
    onSaved() {
      toast({ title: "Profile saved" });
      // The sidebar shows the name.
      router.refresh();
    },
  });
  return (
    <form {...form.attributes} className="grid max-w-md gap-4">
      <TextField {...form.field("full_name")} label="Name" required autoComplete="name" maxLength={100} />
      <TextField
        {...form.field("email")}
        label="Email"
        hint="Used for signing in. Errand sends no email."
        type="email"
        isCode
        autoComplete="email"
      />
      <TextField
        {...form.field("github_username")}
        label="GitHub username"
        hint="Members and API clients see it with your name."
        isCode
      />
      {form.values.email.trim() !== (email ?? "") && hasPassword && (
        <PasswordField
          {...form.field("current_password")}
          label="Current password"
          kind="current"
          hint="Needed to change the email address."
        />
      )}
      <SaveBar form={form.state} failure="The profile was not saved" />
    </form>
  );
}
