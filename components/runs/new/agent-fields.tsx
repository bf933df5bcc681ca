"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { stateLook } from "#components/settings/agents/agent-words.ts";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import { permissionModes } from "#lib/contract/words.ts";

type AgentFieldProps = {
  orgId: number;
  agent: string;
  onChange: (agent: string) => void;
  error: string | undefined;
};

/** Field for the agent: ready agents first, the others with what they are missing. */
export function AgentField({ orgId, agent, onChange, error }: AgentFieldProps) {
  const agents = useQuery(agentsQuery(orgId));
  const items = agents.data?.items ?? [];
  return (
    <Field label="Agent" error={error ?? (agents.error === null ? undefined : describeError(agents.error).detail)}>
      <Combobox
        value={agent === "" ? null : agent}
        onValueChange={onChange}
        placeholder="The first one that is ready"
        loading={agents.isPending}
        options={items.map(agentOption)}
        searchPlaceholder="Find an agent"
      />
    </Field>
  );
}

type AgentNotesProps = {
  orgId: number;
  agent: string;
  /** Id of the chosen agent that it replaces, because that one is not ready; or null. */
  replaced: string | null;
  onInsertExample: () => void;
};

/** What to know about the chosen agent: below its field on a phone, else below the row, so that it has the width to be read. */
export function AgentNotes({ orgId, agent, replaced, onInsertExample }: AgentNotesProps) {
  const items = useQuery(agentsQuery(orgId)).data?.items ?? [];
  const chosen = items.find(({ id }) => id === agent);
  const wanted = items.find(({ id }) => id === replaced);
  if (chosen === undefined) return null;
  return (
    <div className="-mt-3 grid gap-1.5 text-[13px] text-muted-foreground sm:order-1 sm:col-span-2">
      {wanted !== undefined && (
        <p>
          {wanted.title} is not ready, so {chosen.title} is used.
        </p>
      )}
      {chosen.ready && chosen.reason !== null && (
        <p className="[overflow-wrap:anywhere]">
          {chosen.title}: {chosen.reason}
        </p>
      )}
      <IsolationHint agent={chosen} />
      {!chosen.has_model && <StepsHint onInsertExample={onInsertExample} />}
    </div>
  );
}

function agentOption({ id, title, ready, state, reason, version, has_model, is_default }: Agent) {
  const notes = [
    version,
    is_default && "default",
    ready && state !== "ready" && stateLook[state].label.toLowerCase(),
    !has_model && "no model: runs the steps in the prompt",
  ].filter(Boolean);
  return {
    value: id,
    label: title,
    description: notes.length > 0 ? notes.join(" · ") : undefined,
    group: ready ? "Ready" : "Not ready",
    disabledReason: ready ? undefined : (reason ?? "Not ready"),
    keywords: [id],
  };
}

/** Classes of an icon within text, so that all lines have the same indent. */
const inline = "mr-1 inline size-4 align-text-bottom";

/** Isolation of the run's agent. */
function IsolationHint({ agent: { isolation, isolation_reason } }: { agent: Agent }) {
  return (
    <p>
      {isolation === "wall" ? (
        <ShieldCheck aria-hidden className={inline} />
      ) : (
        <ShieldAlert aria-hidden className={inline} />
      )}
      <span title={isolation_reason ?? undefined}>
        {isolation === "wall"
          ? "Behind the wall: on this machine it sees only its checkout, a home of its own and the system's programs."
          : "Not isolated: it can read everything that the user Errand runs as can read."}
      </span>
    </p>
  );
}

function StepsHint({ onInsertExample }: { onInsertExample: () => void }) {
  return (
    <p>
      This agent has no model. It runs the <code>sh</code>, <code>diff</code> and <code>path=</code> blocks of the
      prompt one by one and stops at the first failure. Without such blocks it surveys the repository and runs its
      tests.{" "}
      <Button variant="link" className="text-[13px]" onClick={onInsertExample}>
        Insert an example
      </Button>
    </p>
  );
}

type ModelFieldProps = {
  orgId: number;
  agent: string;
  model: string;
  onChange: (model: string) => void;
  error: string | undefined;
};

/** Field for the agent's model: a known one, or any name it may understand. */
export function ModelField({ orgId, agent, model, onChange, error }: ModelFieldProps) {
  const agents = useQuery(agentsQuery(orgId));
  const chosen = agents.data?.items.find(({ id }) => id === agent);
  const hasModel = chosen?.has_model ?? true;
  const own = chosen?.default_model ?? null;
  const unset = own === null ? "The agent's default" : `The organization's default (${own})`;
  return (
    <Field label="Model" error={error}>
      <Combobox
        value={hasModel ? model : ""}
        onValueChange={onChange}
        disabled={!hasModel}
        options={[
          { value: "", label: hasModel ? unset : "Works without a model", isNone: true },
          ...(chosen === undefined ? [] : modelOptions(chosen)),
        ]}
        customLabel={(text) => `Use “${text}”`}
        searchPlaceholder="Find or type a model"
      />
    </Field>
  );
}

/** Models announced by the agent, by their names, and those of its profile. */
function modelOptions({ models, announced }: Agent) {
  return models.map((id) => {
    const known = announced?.models.find((model) => model.id === id);
    if (known === undefined) return { value: id, label: id };
    const notes = [known.name === id ? null : id, known.description].filter((note) => note !== null);
    return {
      value: id,
      label: known.name,
      keywords: [id],
      ...(notes.length > 0 ? { description: notes.join(" · ") } : {}),
    };
  });
}

type ModeFieldProps = Omit<ModelFieldProps, "model"> & { mode: string; permissionMode: PermissionMode };

/** Field for the agent's own mode, if it announces any and the permissions require no particular one. */
export function ModeField({ orgId, agent, mode, permissionMode, onChange, error }: ModeFieldProps) {
  const agents = useQuery(agentsQuery(orgId)).data?.items ?? [];
  const chosen = agents.find(({ id }) => id === agent);
  const modes = chosen?.announced?.modes ?? [];
  const own = modes.find(({ id }) => id === chosen?.default_mode);
  if (error === undefined && (modes.length < 2 || permissionMode !== "auto")) return null;
  return (
    <Field label="Agent mode" error={error}>
      <Combobox
        className="sm:max-w-80"
        value={mode}
        onValueChange={onChange}
        options={[
          {
            value: "",
            label: own === undefined ? "Errand's default" : `The organization's default (${own.name})`,
            isNone: true,
          },
          ...modes.map(({ id, name, description }) => ({
            value: id,
            label: name,
            keywords: [id],
            ...(description === null ? {} : { description }),
          })),
        ]}
        searchPlaceholder="Find a mode"
      />
    </Field>
  );
}

const modeWords: Record<PermissionMode, string> = {
  auto: "Auto-approve",
  "read-only": "Read-only: block edits and commands",
  ask: "Ask me",
};

type PermissionFieldProps = {
  mode: PermissionMode;
  onChange: (mode: PermissionMode) => void;
  error: string | undefined;
};

/** Field for how the agent's permission requests are answered. */
export function PermissionField({ mode, onChange, error }: PermissionFieldProps) {
  return (
    <Field label="When the agent asks for permission" error={error}>
      <RadioGroup
        className="flex flex-wrap gap-x-6 gap-y-2"
        value={mode}
        onValueChange={(value) => onChange(permissionModes.find((option) => option === value) ?? mode)}
      >
        {permissionModes.map((option) => (
          <RadioOption key={option} value={option} label={modeWords[option]} />
        ))}
      </RadioGroup>
    </Field>
  );
}
