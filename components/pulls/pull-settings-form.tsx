"use client";

import { CheckField, TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { usePutPullSettings } from "#lib/client/pages/pull-queries.ts";
import type { PullSettings, ShownPullSettings } from "#lib/contract/repositories/pull-settings.ts";
import { pullModes } from "#lib/contract/words.ts";
import { BaseBranchField } from "./base-branch-field.tsx";

type PullSettingsFormProps = { orgId: number; repoId: number; settings: ShownPullSettings; refusal: string | null };

function valuesOf({ signing_key: _, target: __, ...settings }: ShownPullSettings) {
  return { ...settings, commit_name: settings.commit_name ?? "", commit_email: settings.commit_email ?? "" };
}

function settingsOf(values: ReturnType<typeof valuesOf>): PullSettings {
  return { ...values, commit_name: values.commit_name || null, commit_email: values.commit_email || null };
}

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
  const form = useSavedForm({
    saved: valuesOf(settings),
    bodyOf: settingsOf,
    mutation: usePutPullSettings(orgId, repoId),
    requestOf: (changes) => changes,
    onSaved: () => toast({ title: "Pull request settings saved" }),
    refusal,
  });
  const { values, edit, errors } = form;
  const isDisabled = refusal !== null;
  const isOnRequest = (mode: PullSettings["mode"]) => mode === "automatic" && settings.target.kind === "folder";

  return (
    <form {...form.attributes} aria-label="Pull requests" className="grid gap-4">
      <fieldset disabled={isDisabled} className="grid min-w-0 gap-4">
        <Field label="When to open them" error={errors.mode}>
          <RadioGroup
            value={values.mode}
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
            branch={values.base_branch}
            noneLabel="The branch the run started from"
            onChange={(base_branch) => edit({ base_branch })}
            error={errors.base_branch}
            hint="The branch that pull requests merge into."
          />
        </div>
        <CheckField {...form.field("draft")} label="Open as drafts" hint="Where the code host has drafts." />
        <CheckField
          {...form.field("request_review")}
          label="Ask for a review"
          hint="From the person who started the run, if their account on the code host is known."
        />
        <Field
          label="Run the test and lint commands"
          hint="The accepted setup commands above, isolated like the run's agent."
          error={errors.local_checks}
        >
          <RadioGroup
            value={values.local_checks}
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
          <TextField
            {...form.field("commit_name")}
            label="Commit name"
            hint="The author of Errand's commits. If name and email are empty, the connected GitHub App is the author, if there is one."
            placeholder="Errand"
          />
          <TextField
            {...form.field("commit_email")}
            label="Commit email"
            hint="The author's email address."
            placeholder="errand@localhost"
            spellCheck={false}
          />
        </div>
        <CheckField
          label="Sign commits with an SSH key"
          hint="Errand makes a key for this repository. Commits that agents make themselves stay unsigned."
          error={errors.signing}
          value={values.signing === "ssh"}
          onChange={(isSigned) => edit({ signing: isSigned ? "ssh" : "none" })}
        />
      </fieldset>
      {settings.signing_key !== null && <SigningKey text={settings.signing_key} />}
      <SaveBar form={form.state} failure="The settings could not be saved" />
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
