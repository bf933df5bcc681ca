"use client";

import { type FormEvent, useState } from "react";
import { unsavedText } from "#components/page/edits.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useChangePassword } from "#lib/client/profile-mutations.ts";
import { PasswordField } from "./password-fields.tsx";

const fields = ["current_password", "password"] as const;

/** Sets the person's password. */
export function PasswordForm({ hasPassword, hasEmail }: { hasPassword: boolean; hasEmail: boolean }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useChangePassword();
  const errors = fieldMessages(change.error, fields);

  function send(event: FormEvent) {
    event.preventDefault();
    if (password === "") return;
    change.mutate(
      { password, ...(current !== "" && { current_password: current }) },
      {
        onSuccess: () => {
          setCurrent(unsavedText(current));
          setPassword(unsavedText(password));
          toast({ title: "Password set", description: "You are signed out everywhere else." });
        },
      },
    );
  }

  return (
    <form noValidate onSubmit={send} className="grid max-w-md gap-4">
      {!hasPassword && (
        <p className="text-pretty text-muted-foreground">
          You have no password yet.{hasEmail ? "" : " Add an email address above to sign in with one."}
        </p>
      )}
      {hasPassword && (
        <PasswordField
          label="Current password"
          kind="current"
          value={current}
          onChange={setCurrent}
          error={errors.current_password}
          hint="Not needed within an hour of signing in with a sign-in link."
        />
      )}
      <PasswordField label="New password" kind="new" value={password} onChange={setPassword} error={errors.password} />
      {change.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The password was not set" {...describeError(change.error)} />
      )}
      <div>
        <RefusableButton
          type="submit"
          refusal={password === "" ? "No new password yet" : null}
          pending={change.isPending}
        >
          {hasPassword ? "Change password" : "Set password"}
        </RefusableButton>
      </div>
    </form>
  );
}
