"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { unsavedOf, unsavedText } from "#components/page/edits.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useUpdateMe } from "#lib/client/profile-mutations.ts";
import type { User } from "#lib/contract/organization.ts";
import { PasswordField } from "./password-fields.tsx";

const fields = ["full_name", "email", "github_username", "current_password"] as const;

type ProfileDraft = { name: string; email: string; github: string };

/** Name and address. Changing the address requires the password, because it is used for signing in. */
export function ProfileForm({ me, hasPassword }: { me: User; hasPassword: boolean }) {
  const router = useRouter();
  const [edits, setEdits] = useState<Partial<ProfileDraft>>({});
  const edit = (part: Partial<ProfileDraft>) => setEdits((now) => ({ ...now, ...part }));
  const saved = { name: me.full_name ?? "", email: me.email ?? "", github: me.github_username };
  const { name, email, github } = { ...saved, ...edits };
  const [password, setPassword] = useState("");
  const update = useUpdateMe();
  const errors = fieldMessages(update.error, fields);
  const changesEmail = email.trim() !== saved.email;
  const username = github.trim().replace(/^@/, "");
  const changesGithub = username !== saved.github;
  const isChanged = changesEmail || changesGithub || name.trim() !== saved.name;

  function send(event: FormEvent) {
    event.preventDefault();
    if (!isChanged || update.isPending) return;
    const body = {
      ...(name.trim() !== saved.name && { full_name: name }),
      ...(changesEmail && { email: email.trim() }),
      ...(changesGithub && { github_username: username === "" ? null : username }),
      ...(changesEmail && password !== "" && { current_password: password }),
    };
    update.mutate(body, {
      onSuccess: () => {
        setEdits((now) => unsavedOf(now, edits));
        setPassword(unsavedText(password));
        toast({ title: "Profile saved" });
        // The sidebar shows the name.
        router.refresh();
      },
    });
  }

  return (
    <form noValidate onSubmit={send} className="grid max-w-md gap-4">
      <Field label="Name" required error={errors.full_name}>
        <Input
          value={name}
          onChange={(event) => edit({ name: event.target.value })}
          autoComplete="name"
          maxLength={100}
        />
      </Field>
      <Field label="Email" hint="Used for signing in. Errand sends no email." error={errors.email}>
        <Input
          type="email"
          value={email}
          onChange={(event) => edit({ email: event.target.value })}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label="GitHub username"
        error={errors.github_username}
        hint="Members and API clients see it with your name."
      >
        <Input
          value={github}
          onChange={(event) => edit({ github: event.target.value })}
          autoComplete="off"
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
        <RefusableButton type="submit" refusal={isChanged ? null : "No changes to save"} pending={update.isPending}>
          Save
        </RefusableButton>
      </div>
    </form>
  );
}
