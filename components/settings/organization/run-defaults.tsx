"use client";

import { useQuery } from "@tanstack/react-query";
import { TextField } from "#components/form/fields.tsx";
import type { SavedForm } from "#components/form/use-saved-form.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
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
  form: SavedForm<SettingsDraft>;
  disabled: boolean;
};

/** Defaults for new runs. */
export function RunDefaults({ orgId, form, disabled }: RunDefaultsProps) {
  const { values, edit, errors } = form;
  const { default_agent: agent, default_model: model, default_permission_mode: mode } = values;
  const agents = useQuery(agentsQuery(orgId));
  const items = agents.data?.items ?? [];
  const chosen = items.find(({ id }) => id === agent);
  const modelOf = (chosenId: string) => items.find(({ id }) => id === chosenId)?.default_model ?? "";
  const hasModel = agent !== "" && (chosen?.has_model ?? true);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label="Agent"
        error={errors.default_agent}
        hint={agent === "" ? undefined : "If it is not ready, the first ready agent is used."}
      >
        <Combobox
          disabled={disabled}
          value={agent}
          // A model belongs to its agent.
          onValueChange={(next) => edit({ default_agent: next, default_model: next === agent ? model : modelOf(next) })}
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
          value={hasModel ? model : ""}
          onValueChange={(next) => edit({ default_model: next })}
          options={[
            { value: "", label: modelWords(agent, hasModel), isNone: true },
            ...(chosen?.models ?? []).map((name) => ({ value: name, label: name })),
          ]}
          customLabel={(text) => `Use “${text}”`}
          searchPlaceholder="Find or type a model"
        />
      </Field>
      <Field label="When the agent asks for permission" error={errors.default_permission_mode}>
        <Select
          disabled={disabled}
          value={mode === "" ? NONE : mode}
          onValueChange={(value) =>
            edit({ default_permission_mode: permissionModes.find((option) => option === value) ?? "" })
          }
        >
          <SelectTrigger>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value={NONE}>Not set (auto-approve)</SelectItem>
            {permissionModes.map((option) => (
              <SelectItem key={option} value={option}>
                {modeWords[option]}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </Field>
      <TextField
        {...form.field("default_turn_timeout_s")}
        label="Time limit per turn, in minutes"
        hint="If empty, only Errand's own limit applies."
        type="number"
        inputMode="numeric"
        min={1}
        max={10_080}
        step={1}
      />
    </div>
  );
}

function modelWords(agent: string, hasModel: boolean): string {
  if (agent === "") return "Choose an agent first";
  return hasModel ? "The agent's default" : "Works without a model";
}
