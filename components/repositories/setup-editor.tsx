"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useAcceptSetup } from "#lib/client/setup-mutations.ts";
import { setupBounds } from "#lib/contract/bounds.ts";
import type { Setup } from "#lib/contract/setup.ts";
import type { SetupKind } from "#lib/contract/setup-command.ts";
import { setupKinds } from "#lib/contract/words.ts";
import { CommandRows } from "./command-rows.tsx";
import { RemoveSetup } from "./remove-setup.tsx";
import { bodyOf, draftOf, type SetupDraft } from "./setup-draft.ts";

/** Label of each kind of command, and when it runs. */
export const kindWords: Record<SetupKind, { label: string; hint: string }> = {
  install: { label: "Install", hint: "Before an agent's first turn" },
  build: { label: "Build", hint: "After install, before the first turn" },
  test: { label: "Test", hint: "Shown to the agent; Errand can also run it to check the work" },
  lint: { label: "Lint", hint: "Shown to the agent; Errand can also run it to check the work" },
  maintenance: { label: "Maintenance", hint: "Before each later turn" },
};
const fields = [...setupKinds, "inputs", "env", "network", "timeout_s", "required"] as const;

type SetupEditorProps = {
  orgId: number;
  repoId: number;
  setup: Setup;
  refusal: string | null;
  /** A proposal that was just chosen for editing: it is not saved yet, and gets the focus. Null: the accepted setup is edited. */
  taken: SetupDraft | null;
  /** Called with whether there are unsaved changes. */
  onChanged: (isChanged: boolean) => void;
  /** Called when the draft has become the accepted setup. */
  onSaved: () => void;
  /** Called when the person returns from editing a proposal. */
  onCancel: () => void;
};

/** The commands as a form; saving accepts them as a whole. */
export function SetupEditor({ orgId, repoId, setup, refusal, taken, onChanged, onSaved, onCancel }: SetupEditorProps) {
  /** What the draft began with. */
  const [base, setBase] = useState(() => ({ start: taken ?? draftOf(setup), version: setup.version }));
  const [draft, setDraft] = useState(base.start);
  const accept = useAcceptSetup(orgId, repoId);
  const form = useRef<HTMLFormElement>(null);
  const isTaken = taken !== null;
  const isChanged = isTaken || JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(base.start));
  /** Another version was saved since the edits began. */
  const isOld = base.version !== setup.version && !accept.isPending;
  const errors = fieldMessages(accept.error, fields);

  useEffect(() => {
    if (isTaken) form.current?.querySelector("textarea")?.focus();
  }, [isTaken]);
  useEffect(() => onChanged(isChanged), [onChanged, isChanged]);

  function rebase(to: Setup) {
    setBase({ start: draftOf(to), version: to.version });
  }
  function showAccepted() {
    if (isTaken) return onCancel();
    rebase(setup);
    setDraft(draftOf(setup));
  }
  if (isOld && !isChanged) showAccepted();

  function save(event: FormEvent) {
    event.preventDefault();
    if (refusal !== null || !isChanged || accept.isPending) return;
    accept.mutate(
      { ...bodyOf(draft), version: base.version },
      {
        onSuccess: (saved) => {
          rebase(saved);
          // What was edited while this was being saved stays.
          setDraft((now) => (now === draft ? draftOf(saved) : now));
          onSaved();
          toast({ title: "Setup commands saved" });
        },
      },
    );
  }

  return (
    <form ref={form} noValidate onSubmit={save} aria-label="Setup commands" className="grid gap-4">
      {(setup.accepted_at !== null || !isTaken) && <Acceptance setup={setup} />}
      {setupKinds.map((kind) => (
        <CommandRows
          key={kind}
          {...kindWords[kind]}
          rows={draft.rows[kind]}
          error={errors[kind]}
          readOnly={refusal !== null}
          onChange={(rows) => setDraft((before) => ({ ...before, rows: { ...before.rows, [kind]: rows } }))}
        />
      ))}
      <Field label="Files the setup depends on" hint="One path per line, for example a lockfile" error={errors.inputs}>
        <Textarea
          value={draft.inputs}
          readOnly={refusal !== null}
          onChange={(event) => setDraft({ ...draft, inputs: event.target.value })}
          spellCheck={false}
          className="min-h-control font-mono text-[13px]"
        />
      </Field>
      <Field
        label="Variables"
        hint="One name per line. Values are keys saved for the repository or the organization; agents do not get them. Only an admin can add one."
        error={errors.env}
      >
        <Textarea
          value={draft.env}
          readOnly={refusal !== null}
          onChange={(event) => setDraft({ ...draft, env: event.target.value })}
          spellCheck={false}
          className="min-h-control font-mono text-[13px]"
        />
      </Field>
      <Field
        label="Additional hosts"
        hint="One per line, such as npm.example.com or *.example.com:8443. Package registries are always allowed. Only an admin can add one."
        error={errors.network}
      >
        <Textarea
          value={draft.network}
          readOnly={refusal !== null}
          onChange={(event) => setDraft({ ...draft, network: event.target.value })}
          spellCheck={false}
          className="min-h-control font-mono text-[13px]"
        />
      </Field>
      <Field
        label="Time limit of each command, in seconds"
        hint={`1 to ${setupBounds.timeoutSecondsMax}`}
        error={errors.timeout_s}
        className="max-w-72"
      >
        <Input
          inputMode="numeric"
          value={draft.timeout}
          readOnly={refusal !== null}
          onChange={(event) => setDraft({ ...draft, timeout: event.target.value })}
        />
      </Field>
      <InlineField
        label="Stop the run if a command fails"
        hint="Otherwise the agent gets the error, and the run continues."
      >
        <Checkbox
          checked={draft.required}
          disabled={refusal !== null}
          onCheckedChange={(checked) => setDraft({ ...draft, required: checked === true })}
        />
      </InlineField>
      {isOld && isChanged && (
        <Alert variant="warning" role="alert">
          <AlertTitle>{meanwhileWords(setup)}</AlertTitle>
          <AlertDescription>Your edits are based on an earlier version, and are not saved yet.</AlertDescription>
          <div className="flex flex-wrap gap-2 pt-1">
            <Button variant="outline" size="sm" onClick={showAccepted}>
              Show theirs
            </Button>
            <Button variant="outline" size="sm" onClick={() => rebase(setup)}>
              Keep mine
            </Button>
          </div>
        </Alert>
      )}
      {accept.error !== null && (Object.keys(errors).length === 0 || errors[""] !== undefined) && (
        <ErrorAlert title="The setup commands were not saved" {...describeError(accept.error)} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <RefusableButton
          refusal={refusal ?? (isChanged ? null : "No changes to save")}
          type="submit"
          pending={accept.isPending}
        >
          {setup.accepted_at === null || isTaken ? "Accept and save" : "Save"}
        </RefusableButton>
        {isChanged && refusal === null && (
          // What has begun cannot be taken back.
          <Button
            variant="outline"
            aria-disabled={accept.isPending || undefined}
            onClick={accept.isPending ? undefined : showAccepted}
          >
            Cancel
          </Button>
        )}
        {setup.accepted_at !== null && !isChanged && <RemoveSetup {...{ orgId, repoId, refusal }} />}
      </div>
    </form>
  );
}

/** Says that the setup was changed by somebody else, or in another tab. */
function meanwhileWords({ version, accepted_at, accepted_by_name }: Setup): string {
  if (accepted_at === null) return "The setup commands were removed while you were editing";
  return `${accepted_by_name ?? "Someone"} saved version ${version} while you were editing`;
}

/** Version of the current commands, who accepted them, and when. */
export function Acceptance({ setup }: { setup: Setup }) {
  if (setup.accepted_at === null) {
    return <p className="text-[13px] text-muted-foreground">None yet. Runs start in a plain checkout.</p>;
  }
  return (
    <p className="text-[13px] text-muted-foreground">
      Version {setup.version}, accepted {setup.accepted_by_name === null ? "" : `by ${setup.accepted_by_name} `}
      <RelativeTime at={setup.accepted_at} />
    </p>
  );
}
