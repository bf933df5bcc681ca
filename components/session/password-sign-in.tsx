"use client";

import { useState } from "react";
import { PasswordField } from "#components/people/password-fields.tsx";
import { useSubmit } from "#components/people/use-submit.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { signInWithPasswordHere } from "#lib/client/profile-mutations.ts";

/** Signs the browser in by address and password, and goes on to `next`, a path of ours. */
export function PasswordSignIn({ next }: { next: string }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { error, isPending, onSubmit } = useSubmit(
    () => signInWithPasswordHere({ email, password }),
    // The whole page anew: the server renders it for the new session.
    () => window.location.replace(next),
  );
  const isWrong = fieldMessages(error, ["password"]).password !== undefined;
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 text-left text-foreground">
      <Field label="Email" required>
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <PasswordField
        label="Password"
        kind="current"
        value={password}
        onChange={setPassword}
        error={isWrong ? "Email and password do not match" : undefined}
      />
      {error !== null && !isWrong && <ErrorAlert title="Could not sign you in" {...describeError(error)} />}
      <Button type="submit" pending={isPending} disabled={email === "" || password === ""}>
        Sign in
      </Button>
    </form>
  );
}
