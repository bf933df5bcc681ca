"use client";

import { type FormEvent, useRef, useState } from "react";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { usePutKey } from "#lib/client/isolation-queries.ts";
import type { Agent } from "#lib/contract/agent.ts";
import { ordinaryWarning } from "#lib/entry/ordinary-word.ts";

const fields = ["variable", "repo_id", "value"] as const;
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
  const [variable, setVariable] = useState<string | null>(null);
  const [ofRepo, setOfRepo] = useState<number | null>(null);
  const [value, setValue] = useState("");
  const put = usePutKey(orgId);
  const errors = fieldMessages(put.error, fields);
  const known = new Set(agents.flatMap(({ keys }) => keys));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (put.isPending) return;
    put.mutate(
      { variable: variable ?? "", repo_id: repoId ?? ofRepo, value },
      {
        onSuccess: (kept) => {
          toast({
            title: `${kept.variable} is saved`,
            description: kept.warning ?? "Takes effect with the next turn.",
          });
          onClose();
        },
      },
    );
  }
  return (
    <form noValidate onSubmit={submit} aria-label="Add a key" className="grid max-w-120 gap-4">
      <Field
        label="Variable"
        required
        error={errors.variable}
        hint="The environment variable from which the agent reads the key, such as ANTHROPIC_API_KEY."
      >
        <Combobox
          value={variable}
          onValueChange={setVariable}
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
      {repoId === null && <RepositoryChoice {...{ orgId, ofRepo }} error={errors.repo_id} onChange={setOfRepo} />}
      <Field
        label="Key"
        required
        error={errors.value}
        hint={<span role="status">{ordinaryWarning(value) ?? "It is never shown again."}</span>}
      >
        <Input
          type="password"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          autoComplete="new-password"
          spellCheck={false}
        />
      </Field>
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {put.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The key could not be saved" {...describeError(put.error)} />
      )}
      <div className="flex gap-2">
        <Button type="submit" pending={put.isPending}>
          Save key
        </Button>
        {/* What has begun cannot be taken back. */}
        <Button
          variant="outline"
          aria-disabled={put.isPending || undefined}
          onClick={put.isPending ? undefined : onClose}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}

type RepositoryChoiceProps = {
  orgId: number;
  ofRepo: number | null;
  error: string | undefined;
  onChange: (repoId: number | null) => void;
};

function RepositoryChoice({ orgId, ofRepo, error, onChange }: RepositoryChoiceProps) {
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
