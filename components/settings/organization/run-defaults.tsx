"use client";

import { useQuery } from "@tanstack/react-query";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { agentsQuery } from "#lib/client/queries.ts";
import type { PermissionMode } from "#lib/contract/run.ts";
import { permissionModes } from "#lib/contract/words.ts";
import type { SettingsDraft } from "./settings-draft.ts";

const NONE = "none";
const modeWords: Record<PermissionMode, string> = {
  auto: "Auto-approve: approve every request",
  "read-only": "Read-only: block edits and commands",
  ask: "Ask: wait for an answer each time",
};

type RunDefaultsProps = {
  orgId: number;
  draft: SettingsDraft;
  /** Called with the fields that change. */
  onChange: (part: Partial<SettingsDraft>) => void;
  errors: Partial<Record<string, string>>;
  disabled: boolean;
};

/** Defaults for new runs. */
export function RunDefaults({ orgId, draft, onChange, errors, disabled }: RunDefaultsProps) {
  const agents = useQuery(agentsQuery(orgId));
  const items = agents.data?.items ?? [];
  const chosen = items.find(({ id }) => id === draft.agent);
  const modelOf = (agent: string) => items.find(({ id }) => id === agent)?.default_model ?? "";
  const hasModel = draft.agent !== "" && (chosen?.has_model ?? true);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label="Agent"
        error={errors.default_agent}
        hint={draft.agent === "" ? undefined : "If it is not ready, the first ready agent is used."}
      >
        <Combobox
          disabled={disabled}
          value={draft.agent}
          // A model belongs to its agent.
          onValueChange={(agent) => onChange({ agent, model: agent === draft.agent ? draft.model : modelOf(agent) })}
          loading={agents.isPending}
          options={[
            { value: "", label: "The first one that is ready", isNone: true },
            ...items.map(({ id, title, ready }) => ({
              value: id,
              label: title,
              description: ready ? undefined : "not ready",
              keywords: [id],
            })),
          ]}
          searchPlaceholder="Find an agent"
        />
      </Field>
      <Field label="Model" error={errors.default_model}>
        <Combobox
          disabled={disabled || !hasModel}
          value={hasModel ? draft.model : ""}
          onValueChange={(model) => onChange({ model })}
          options={[
            { value: "", label: modelWords(draft.agent, hasModel), isNone: true },
            ...(chosen?.models ?? []).map((name) => ({ value: name, label: name })),
          ]}
          customLabel={(text) => `Use “${text}”`}
          searchPlaceholder="Find or type a model"
        />
      </Field>
      <Field label="When the agent asks for permission" error={errors.default_permission_mode}>
        <Select
          disabled={disabled}
          value={draft.permissionMode === "" ? NONE : draft.permissionMode}
          onValueChange={(value) => onChange({ permissionMode: permissionModes.find((mode) => mode === value) ?? "" })}
        >
          <SelectTrigger>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value={NONE}>Not set (auto-approve)</SelectItem>
            {permissionModes.map((mode) => (
              <SelectItem key={mode} value={mode}>
                {modeWords[mode]}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </Field>
      <Field
        label="Time limit per turn, in minutes"
        error={errors.default_turn_timeout_s}
        hint="If empty, only Errand's own limit applies."
      >
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={10_080}
          step={1}
          value={draft.minutes}
          onChange={(event) => onChange({ minutes: event.target.value })}
        />
      </Field>
    </div>
  );
}

function modelWords(agent: string, hasModel: boolean): string {
  if (agent === "") return "Choose an agent first";
  return hasModel ? "The agent's default" : "Works without a model";
}
