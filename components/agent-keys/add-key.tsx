"use client";

import { useRef, useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import { usePutKey } from "#lib/client/pages/isolation-queries.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { ordinaryWarning } from "#lib/entry/ordinary-word.ts";

const ALL = "";

type AddKeyProps = {
  orgId: number;
  /** The repository whose runs use the key; null if it is chosen in the form. */
  repoId: number | null;
  agents: readonly Agent[];
};

/** A button that opens the form for a key. */
export function AddKey(props: AddKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(part);
  return (
    <div ref={part} tabIndex={-1} className="rounded-md" {...keptFocus}>
      {isOpen ? (
        <KeyForm {...props} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="outline" onClick={() => setOpen(true)}>
          Add a key
        </Button>
      )}
    </div>
  );
}

/** Saves a key for agents. Replaces a stored key of the same name. */
function KeyForm({ orgId, repoId, agents, onClose }: AddKeyProps & { onClose: () => void }) {
  const form = useNewForm({
    blank: { variable: "", repo_id: repoId, value: "" },
    bodyOf: (values) => values,
    mutation: usePutKey(orgId),
    onSaved({ variable, warning }) {
      toast({ title: `${variable} is saved`, description: warning ?? "Takes effect with the next turn." });
      onClose();
    },
  });
  const { values, errors, edit } = form;
  const known = new Set(agents.flatMap(({ keys }) => keys));
  return (
    <form {...form.attributes} aria-label="Add a key" className="grid max-w-120 gap-4">
      <Field
        label="Variable"
        required
        error={errors.variable}
        hint="The environment variable from which the agent reads the key, such as ANTHROPIC_API_KEY."
      >
        <Combobox
          value={values.variable === "" ? null : values.variable}
          onValueChange={(variable) => edit({ variable })}
          placeholder="Choose or type a name"
          options={[...known].toSorted().map((name) => ({
            value: name,
            label: name,
            description: agents
              .filter(({ keys }) => keys.includes(name))
              .map(({ title }) => title)
              .join(", "),
          }))}
          customLabel={(text) => `Use “${text}”`}
          searchPlaceholder="Find or type a variable"
        />
      </Field>
      {repoId === null && <RepositoryChoice orgId={orgId} {...form.field("repo_id")} />}
      <TextField
        {...form.field("value")}
        label="Key"
        required
        hint={<span role="status">{ordinaryWarning(values.value) ?? "It is never shown again."}</span>}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
      />
      <SaveBar
        form={{ ...form.state, isChanged: true }}
        label="Save key"
        discardLabel="Cancel"
        onDiscard={onClose}
        failure="The key could not be saved"
      />
    </form>
  );
}

type RepositoryChoiceProps = {
  orgId: number;
  value: number | null;
  error: string | undefined;
  onChange: (repoId: number | null) => void;
};

function RepositoryChoice({ orgId, value: ofRepo, error, onChange }: RepositoryChoiceProps) {
  const repositories = useRepositoryOptions(orgId, ofRepo);
  return (
    <Field
      label="Used by"
      error={error ?? (repositories.error === null ? undefined : describeError(repositories.error).detail)}
    >
      <Combobox
        value={ofRepo === null ? ALL : String(ofRepo)}
        onValueChange={(value) => onChange(value === ALL ? null : Number(value))}
        options={[{ value: ALL, label: "All runs", isNone: true }, ...repositories.options]}
        {...repositories.search}
      />
    </Field>
  );
}
