"use client";

import { Trash2 } from "lucide-react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { checkSuiteBounds } from "#lib/contract/bounds.ts";
import type { CheckDraft } from "./check-draft.ts";

type CheckFieldsProps = {
  check: CheckDraft;
  /** Names of checks seen on the repository's pull requests. */
  known: readonly string[];
  problem: string | null;
  isDisabled: boolean;
  onChange: (part: Partial<CheckDraft>) => void;
  onRemove: () => void;
};

/** Settings of a single check. */
export function CheckFields({ check, known, problem, isDisabled, onChange, onRemove }: CheckFieldsProps) {
  const { name, isIgnored, retries, prompt } = check;
  return (
    <fieldset
      aria-label={name === "" ? "New check" : name}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-border p-3"
    >
      <div className="flex min-w-0 items-end gap-2">
        <Field label="Check" error={problem} className="flex-1">
          <Combobox
            value={name === "" ? null : name}
            onValueChange={(next) => onChange({ name: next })}
            options={known.map((one) => ({ value: one, label: one }))}
            placeholder="Choose or type its name"
            searchPlaceholder="Find or type a check"
            customLabel={(text) => `Use “${text}”`}
            emptyText="No checks seen yet. Type a name."
            disabled={isDisabled}
          />
        </Field>
        {!isDisabled && (
          <IconButton label={`Remove ${name === "" ? "the new check" : name}`} onClick={onRemove} className="mb-px">
            <Trash2 />
          </IconButton>
        )}
      </div>
      <InlineField
        label="Ignore it"
        hint="If this check fails, the agent is not asked to fix it and the result does not change."
      >
        <Checkbox checked={isIgnored} onCheckedChange={(checked) => onChange({ isIgnored: checked === true })} />
      </InlineField>
      {!isIgnored && (
        <>
          <Field label="Fix rounds" className="max-w-60">
            <RoundsSelect
              value={retries}
              noneLabel="Same as for all checks"
              onChange={(next) => onChange({ retries: next })}
            />
          </Field>
          <Field label="Prompt" hint="Added to the agent's prompt when this check fails.">
            <Textarea
              value={prompt}
              onChange={({ target }) => onChange({ prompt: target.value })}
              maxLength={checkSuiteBounds.promptMax}
              className="min-h-16"
            />
          </Field>
        </>
      )}
    </fieldset>
  );
}

const NONE = "none";
const counts = Array.from({ length: checkSuiteBounds.retriesMax + 1 }, (_, count) => count);

type RoundsSelectProps = {
  value: number | null;
  /** Label of null; without it, null cannot be chosen. */
  noneLabel?: string;
  onChange: (value: number | null) => void;
};

/** Field for the number of times that failed checks are handed to the agent. */
export function RoundsSelect({ value, noneLabel, onChange }: RoundsSelectProps) {
  return (
    <Select
      value={value === null ? NONE : String(value)}
      onValueChange={(next) => onChange(next === NONE ? null : Number(next))}
    >
      <SelectTrigger>
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {noneLabel !== undefined && <SelectItem value={NONE}>{noneLabel}</SelectItem>}
        {counts.map((count) => (
          <SelectItem key={count} value={String(count)}>
            {count === 0 ? "Never" : count === 1 ? "Once" : `${count} times`}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
