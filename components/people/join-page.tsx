"use client";

import { useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { FormError } from "#components/form/save-bar.tsx";
import { loginPath } from "#components/session/login-path.ts";
import { SignInCard } from "#components/session/sign-in-card.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { useSubmit } from "#components/ui/use-submit.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { acceptInvitationHere } from "#lib/client/pages/people-queries.ts";
import type { OpenInvitation } from "#lib/contract/people/invitation.ts";
import type { User } from "#lib/contract/people/organization.ts";
import { nameOf } from "./name-of.ts";
import { PasswordField } from "./password-fields.tsx";
import { roleCan, roleWithArticle } from "./role-words.ts";

type JoinPageProps = {
  code: string;
  invitation: OpenInvitation;
  /** The person signed in with this browser, or null. */
  person: User | null;
};

/** An open invitation: its details, and a way to join. */
export function JoinPage({ code, invitation, person }: JoinPageProps) {
  const { organization_name, invited_by, role, expires_at } = invitation;
  return (
    <SignInCard title={`Join ${organization_name}`}>
      <p>
        {invited_by === null ? "You are invited" : `${invited_by} invited you`} to join as {roleWithArticle(role)}. You
        can {roleCan[role]}. The invitation expires <RelativeTime at={expires_at} />.
      </p>
      {person === null ? <NewPerson code={code} /> : <SignedInPerson code={code} person={person} />}
    </SignInCard>
  );
}

/** Loads the full page, so that the server renders it for the new membership and the code leaves the history. */
const goIn = () => window.location.replace("/runs");

function SignedInPerson({ code, person }: { code: string; person: User }) {
  const { error, isPending, onSubmit } = useSubmit(() => acceptInvitationHere(code, {}), goIn);
  return (
    <form onSubmit={onSubmit} className="grid gap-4 text-left text-foreground">
      {error !== null && <ErrorAlert title="Could not join" {...describeError(error)} />}
      <Button type="submit" pending={isPending}>
        Join as {nameOf(person)}
      </Button>
      <p className="text-center text-[13px] text-muted-foreground">
        Not you? Sign out first, then open this link again.
      </p>
    </form>
  );
}

const fields = ["full_name", "email", "password"] as const;

function NewPerson({ code }: { code: string }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { error, isPending, onSubmit } = useSubmit(
    () => acceptInvitationHere(code, { full_name: name.trim() === "" ? null : name, email, password }),
    goIn,
  );
  const errors = fieldMessages(error, fields);
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4 text-left text-foreground">
      <TextField
        label="Name"
        required
        error={errors.full_name}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={100}
      />
      <TextField
        label="Email"
        required
        hint="Used for signing in. Errand sends no email."
        error={errors.email}
        value={email}
        onChange={setEmail}
        type="email"
        isCode
        autoComplete="username"
      />
      <PasswordField label="Password" kind="new" value={password} onChange={setPassword} error={errors.password} />
      <FormError {...{ error, errors }} title="Could not join" />
      <Button type="submit" pending={isPending}>
        Join
      </Button>
      <p className="text-center text-[13px] text-muted-foreground">
        Have an account?{" "}
        <a href={loginPath(`/invite/${encodeURIComponent(code)}`)} className="text-link underline underline-offset-4">
          Sign in
        </a>{" "}
        to join with it.
      </p>
    </form>
  );
}
