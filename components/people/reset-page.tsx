"use client";

import { useState } from "react";
import { FormError } from "#components/form/save-bar.tsx";
import { SignInCard } from "#components/session/sign-in-card.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { useSubmit } from "#components/ui/use-submit.ts";
import { fieldMessages } from "#lib/client/client-error.ts";
import { resetPasswordHere } from "#lib/client/pages/people-queries.ts";
import type { OpenReset } from "#lib/contract/people/member.ts";
import { PasswordField } from "./password-fields.tsx";

/** Sets a new password with a reset link. */
export function ResetPage({ code, reset }: { code: string; reset: OpenReset }) {
  const [password, setPassword] = useState("");
  const { error, isPending, onSubmit } = useSubmit(
    () => resetPasswordHere(code, password),
    // A full page load, for the new session; the code leaves the history.
    () => window.location.replace("/runs"),
  );
  const errors = fieldMessages(error, ["password"]);
  return (
    <SignInCard title="Choose a new password">
      <p>
        For {reset.full_name ?? reset.email ?? "your account"}
        {reset.full_name !== null && reset.email !== null && ` (${reset.email})`}. The link expires{" "}
        <RelativeTime at={reset.expires_at} />.
      </p>
      <form noValidate onSubmit={onSubmit} className="grid gap-4 text-left text-foreground">
        {/* Tells password managers whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={reset.email ?? ""} readOnly />
        <PasswordField
          label="New password"
          kind="new"
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
        <FormError {...{ error, errors }} title="The password was not set" />
        <Button type="submit" pending={isPending}>
          Set password and sign in
        </Button>
        <p className="text-center text-[13px] text-muted-foreground">
          This signs you out everywhere else. API tokens keep working.
        </p>
      </form>
    </SignInCard>
  );
}
