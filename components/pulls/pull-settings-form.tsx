"use client";

import { type FormEvent, useState } from "react";
import { unsavedOf } from "#components/page/edits.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { usePutPullSettings } from "#lib/client/pull-queries.ts";
import type { PullSettings, ShownPullSettings } from "#lib/contract/pull-settings.ts";
import { pullModes } from "#lib/contract/words.ts";
import { BaseBranchField } from "./base-branch-field.tsx";

type PullSettingsFormProps = { orgId: number; repoId: number; settings: ShownPullSettings; refusal: string | null };

const fields = [
  "mode",
  "base_branch",
  "draft",
  "request_review",
  "commit_name",
  "commit_email",
  "signing",
  "local_checks",
] as const satisfies readonly (keyof PullSettings)[];

const modeWords: Record<PullSettings["mode"], { label: string; description: string }> = {
  off: { label: "Off", description: "Runs never open pull requests." },
  manual: { label: "On request", description: "Someone opens it on the run's page. Nothing is pushed before that." },
  automatic: { label: "Automatic", description: "After every completed turn that changed something." },
};

const localWords: Record<PullSettings["local_checks"], { label: string; description: string }> = {
  without_host: { label: "If the remote has no checks", description: "After the push, instead of its checks." },
  before_push: { label: "Before every push", description: "Work that fails is handed to the agent, not pushed." },
  never: { label: "Never", description: "Only the code host's checks count." },
};
const localChoices = ["without_host", "before_push", "never"] as const;

/** When and how pull requests are opened, and the author of Errand's commits; all changes are saved together. */
export function PullSettingsForm({ orgId, repoId, settings, refusal }: PullSettingsFormProps) {
  const [edits, setEdits] = useState<Partial<PullSettings>>({});
  const put = usePutPullSettings(orgId, repoId);
  const draft = { ...settings, ...edits };
  const edit = (part: Partial<PullSettings>) => setEdits((now) => ({ ...now, ...part }));
  const changed = fields.filter((name) => draft[name] !== settings[name]);
  const errors = fieldMessages(put.error, fields);
  const isDisabled = refusal !== null;
  const isOnRequest = (mode: PullSettings["mode"]) => mode === "automatic" && settings.target.kind === "folder";

  function save(event: FormEvent) {
    event.preventDefault();
    if (isDisabled || put.isPending || changed.length === 0) return;
    put.mutate(Object.fromEntries(changed.map((name) => [name, draft[name]])), {
      onSuccess: () => {
        setEdits((now) => unsavedOf(now, edits));
        toast({ title: "Pull request settings saved" });
      },
    });
  }
  return (
    <form noValidate onSubmit={save} aria-label="Pull requests" className="grid gap-4">
      <fieldset disabled={isDisabled} className="grid min-w-0 gap-4">
        <Field label="When to open them" error={errors.mode}>
          <RadioGroup
            value={draft.mode}
            disabled={isDisabled}
            onValueChange={(value) => edit({ mode: pullModes.find((mode) => mode === value) ?? settings.mode })}
          >
            {pullModes.map((mode) => (
              <RadioOption key={mode} value={mode} disabled={isDisabled || isOnRequest(mode)} {...modeWords[mode]} />
            ))}
          </RadioGroup>
        </Field>
        <div className="max-w-90">
          <BaseBranchField
            {...{ orgId, repoId, disabled: isDisabled }}
            branch={draft.base_branch}
            noneLabel="The branch the run started from"
            onChange={(base_branch) => edit({ base_branch })}
            error={errors.base_branch}
            hint="The branch that pull requests merge into."
          />
        </div>
        <InlineField label="Open as drafts" hint="Where the code host has drafts." error={errors.draft}>
          <Checkbox checked={draft.draft} onCheckedChange={(checked) => edit({ draft: checked === true })} />
        </InlineField>
        <InlineField
          label="Ask for a review"
          hint="From the person who started the run, if their account on the code host is known."
          error={errors.request_review}
        >
          <Checkbox
            checked={draft.request_review}
            onCheckedChange={(checked) => edit({ request_review: checked === true })}
          />
        </InlineField>
        <Field
          label="Run the test and lint commands"
          hint="The accepted setup commands above, isolated like the run's agent."
          error={errors.local_checks}
        >
          <RadioGroup
            value={draft.local_checks}
            disabled={isDisabled}
            onValueChange={(value) =>
              edit({ local_checks: localChoices.find((choice) => choice === value) ?? settings.local_checks })
            }
          >
            {localChoices.map((choice) => (
              <RadioOption key={choice} value={choice} disabled={isDisabled} {...localWords[choice]} />
            ))}
          </RadioGroup>
        </Field>
        <div className="grid max-w-150 items-start gap-4 sm:grid-cols-2">
          <Field
            label="Commit name"
            error={errors.commit_name}
            hint="The author of Errand's commits. If name and email are empty, the connected GitHub App is the author, if there is one."
          >
            <Input
              value={draft.commit_name ?? ""}
              placeholder="Errand"
              onChange={({ target }) => edit({ commit_name: target.value === "" ? null : target.value })}
              autoComplete="off"
            />
          </Field>
          <Field label="Commit email" error={errors.commit_email} hint="The author's email address.">
            <Input
              value={draft.commit_email ?? ""}
              placeholder="errand@localhost"
              onChange={({ target }) => edit({ commit_email: target.value === "" ? null : target.value })}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </div>
        <InlineField
          label="Sign commits with an SSH key"
          hint="Errand makes a key for this repository. Commits that agents make themselves stay unsigned."
          error={errors.signing}
        >
          <Checkbox
            checked={draft.signing === "ssh"}
            onCheckedChange={(checked) => edit({ signing: checked === true ? "ssh" : "none" })}
          />
        </InlineField>
      </fieldset>
      {settings.signing_key !== null && <SigningKey text={settings.signing_key} />}
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {put.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The settings could not be saved" {...describeError(put.error)} />
      )}
      <div>
        <RefusableButton
          type="submit"
          refusal={refusal ?? (changed.length > 0 ? null : "No changes to save")}
          pending={put.isPending}
        >
          Save
        </RefusableButton>
      </div>
    </form>
  );
}

function SigningKey({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-1 text-sm">
      <p className="text-muted-foreground">
        Public signing key. Add it to the account on the code host, and set that account's email address above: hosts
        show a signature as verified only with both.
      </p>
      <p className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 truncate" title={text}>
          {text}
        </code>
        <CopyButton text={text} label="Copy the public key" className="shrink-0" />
      </p>
    </div>
  );
}
