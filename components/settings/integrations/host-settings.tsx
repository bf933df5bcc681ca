import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Draft } from "./draft.ts";

type HostSettingsProps = { draft: Draft; error: string | undefined; onChange: (changes: Partial<Draft>) => void };

/** Bots of a code host whose mentions count. */
export function HostSettings({ draft, error, onChange }: HostSettingsProps) {
  return (
    <Field
      label="Bots it listens to"
      error={error}
      hint="Logins, separated by commas. They are asked for their right to write, as people are. All others are ignored."
    >
      <Input
        value={draft.bots}
        onChange={(event) => onChange({ bots: event.target.value })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="renovate[bot]"
      />
    </Field>
  );
}
