"use client";

import { useEffect, useRef } from "react";
import { CheckField, TextareaField, TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useAcceptSetup } from "#lib/client/pages/setup-mutations.ts";
import { setupBounds } from "#lib/contract/bounds.ts";
import type { Setup } from "#lib/contract/repositories/setup.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
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
  const isTaken = taken !== null;
  const element = useRef<HTMLFormElement>(null);
  const form = useSavedForm({
    saved: draftOf(setup),
    initial: taken,
    version: { now: setup.version, of: (accepted) => accepted.version },
    bodyOf,
    mutation: useAcceptSetup(orgId, repoId),
    requestOf: (_, { values, version }) => ({ ...bodyOf(values), version }),
    onSaved() {
      onSaved();
      toast({ title: "Setup commands saved" });
    },
    refusal,
    savesUnchanged: isTaken,
  });
  const isChanged = isTaken || form.state.isChanged;
  const readOnly = refusal !== null;
  const lines = { isCode: true, readOnly, areaClassName: "min-h-control font-mono text-[13px]" };

  useEffect(() => {
    if (isTaken) element.current?.querySelector("textarea")?.focus();
  }, [isTaken]);
  useEffect(() => onChanged(isChanged), [onChanged, isChanged]);

  return (
    <form ref={element} {...form.attributes} aria-label="Setup commands" className="grid gap-4">
      {(setup.accepted_at !== null || !isTaken) && <Acceptance setup={setup} />}
      {setupKinds.map((kind) => (
        <CommandRows key={kind} {...kindWords[kind]} {...form.field(kind)} readOnly={readOnly} />
      ))}
      <TextareaField
        {...form.field("inputs")}
        {...lines}
        label="Files the setup depends on"
        hint="One path per line, for example a lockfile"
      />
      <TextareaField
        {...form.field("env")}
        {...lines}
        label="Variables"
        hint="One name per line. Values are keys saved for the repository or the organization; agents do not get them. Only an admin can add one."
      />
      <TextareaField
        {...form.field("network")}
        {...lines}
        label="Additional hosts"
        hint="One per line, such as npm.example.com or *.example.com:8443. Package registries are always allowed. Only an admin can add one."
      />
      <TextField
        {...form.field("timeout_s")}
        label="Time limit of each command, in seconds"
        hint={`1 to ${setupBounds.timeoutSecondsMax}`}
        inputMode="numeric"
        readOnly={readOnly}
        className="max-w-72"
      />
      <CheckField
        {...form.field("required")}
        label="Stop the run if a command fails"
        hint="Otherwise the agent gets the error, and the run continues."
        disabled={readOnly}
      />
      <SaveBar
        form={{ ...form.state, isChanged }}
        label={setup.accepted_at === null || isTaken ? "Accept and save" : "Save"}
        discardLabel="Cancel"
        onDiscard={isTaken ? onCancel : form.state.discard}
        failure="The setup commands were not saved"
        conflict={meanwhileWords(setup)}
      >
        {setup.accepted_at !== null && !isChanged && <RemoveSetup {...{ orgId, repoId, refusal }} />}
      </SaveBar>
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
