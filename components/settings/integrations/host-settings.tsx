import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Draft } from "./draft.ts";

type HostSettingsProps = { draft: Draft; error: string | undefined; onChange: (changes: Partial<Draft>) => void };

/** Bots of a code host whose mentions count. */
export function HostSettings({ draft, error, onChange }: HostSettingsProps) {
  return (
    <Field
      label="Bots allowed to mention Errand"
      error={error}
      hint="Usernames, separated by commas. Like people, these bots need write access to the repository. All other bots are ignored."
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
