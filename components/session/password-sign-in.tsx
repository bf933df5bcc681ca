"use client";

import { useRef } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { useSubmit } from "#components/ui/use-submit.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { signInWithPasswordHere } from "#lib/client/pages/profile-mutations.ts";

/** Signs the browser in with address and password, and continues to `next`, a path of ours. */
export function PasswordSignIn({ next }: { next: string }) {
  // Read on submit: a password manager may fill it in before any script has run.
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const { error, isPending, onSubmit } = useSubmit(
    () => signInWithPasswordHere({ email: email.current?.value ?? "", password: password.current?.value ?? "" }),
    // A full page load: the server renders it for the new session.
    () => window.location.replace(next),
  );
  const isWrong = fieldMessages(error, ["password"]).password !== undefined;
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 text-left text-foreground">
      {/* Required by attribute: there is no other field to tell them from with a sign. */}
      <Field label="Email">
        <Input ref={email} required type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field label="Password" error={isWrong ? "Email and password do not match" : undefined}>
        <Input ref={password} required type="password" autoComplete="current-password" />
      </Field>
      {error !== null && !isWrong && <ErrorAlert title="Could not sign you in" {...describeError(error)} />}
      <Button type="submit" pending={isPending}>
        Sign in
      </Button>
    </form>
  );
}
