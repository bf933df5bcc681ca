"use client";

import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useChangePassword } from "#lib/client/pages/profile-mutations.ts";
import { PasswordField } from "./password-fields.tsx";

/** Sets the person's password. */
export function PasswordForm({ hasPassword, hasEmail }: { hasPassword: boolean; hasEmail: boolean }) {
  const form = useSavedForm({
    saved: { current_password: "", password: "" },
    bodyOf: (values) => values,
    mutation: useChangePassword(),
    requestOf: ({ password, ...current }) => (password === undefined ? null : { password, ...current }),
    onSaved: () => toast({ title: "Password set", description: "You are signed out everywhere else." }),
  });
  const isEmpty = form.values.password === "";
  return (
    <form {...form.attributes} className="grid max-w-md gap-4">
      {!hasPassword && (
        <p className="text-pretty text-muted-foreground">
          You have no password yet.{hasEmail ? "" : " Add an email address above to sign in with one."}
        </p>
      )}
      {hasPassword && (
        <PasswordField
          {...form.field("current_password")}
          label="Current password"
          kind="current"
          hint="Not needed within an hour of signing in with a sign-in link."
        />
      )}
      <PasswordField {...form.field("password")} label="New password" kind="new" />
      <SaveBar
        form={{ ...form.state, refusal: isEmpty ? "No new password yet" : null }}
        label={hasPassword ? "Change password" : "Set password"}
        discardLabel={null}
        failure="The password was not set"
      />
    </form>
  );
}
