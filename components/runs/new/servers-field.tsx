"use client";

import { Checkbox } from "#components/ui/checkbox.tsx";
import { InlineField } from "#components/ui/field.tsx";

type ServersFieldProps = {
  /** Names of the servers offered to the run. Without any, the field is not shown. */
  offered: readonly string[];
  /** Names of the servers withheld from the run. */
  withheld: readonly string[];
  onChange: (withheld: string[]) => void;
  error: string | undefined;
};

/** Which of the organization's MCP servers the agent is given: all of them unless some are withheld. */
export function ServersField({ offered, withheld, onChange, error }: ServersFieldProps) {
  if (offered.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">MCP servers</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-0.5">
        {offered.map((name, at) => (
          <InlineField key={name} label={name} error={at === 0 ? error : undefined}>
            <Checkbox
              checked={!withheld.includes(name)}
              onCheckedChange={(given) =>
                onChange(given === true ? withheld.filter((one) => one !== name) : [...withheld, name])
              }
            />
          </InlineField>
        ))}
      </div>
      <p className="text-[13px] text-muted-foreground">The agent can use the tools of these servers.</p>
    </fieldset>
  );
}
