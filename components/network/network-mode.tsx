"use client";

import { type FormEvent, useRef, useState } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import { type Place, useChangeNetwork } from "#lib/client/isolation-queries.ts";
import type { NetworkMode } from "#lib/contract/network.ts";
import { networkModes, networkWords } from "./denial-words.ts";

const INHERITED = "inherited";

type NetworkModeFormProps = {
  place: Place;
  /** The chosen mode; for a repository, null means that the organization's applies. */
  mode: NetworkMode | null;
  /** For a repository: the organization's mode. */
  inherited: NetworkMode | null;
  mayChange: boolean;
};

/** Which hosts agents can reach: chosen, then saved. */
export function NetworkModeForm({ place, mode, inherited, mayChange }: NetworkModeFormProps) {
  const change = useChangeNetwork(place);
  const set = mode ?? INHERITED;
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? set;
  const isChanged = value !== set;
  const form = useRef<HTMLFormElement>(null);
  const keptFocus = useKeptFocus(form);

  function save(event: FormEvent) {
    event.preventDefault();
    if (!isChanged || change.isPending) return;
    const network = networkModes.find((one) => one === value) ?? null;
    change.mutate(
      { network },
      {
        onSuccess: () => {
          // What was chosen while this was being saved stays.
          setChosen((now) => (now === value ? null : now));
          toast({ title: "Network changed", description: "Takes effect with the next turn." });
        },
      },
    );
  }
  return (
    <form ref={form} tabIndex={-1} onSubmit={save} className="grid gap-3 rounded-md" {...keptFocus}>
      <Field label="Agents behind the wall can reach" labelHidden={place.repoId !== null}>
        <RadioGroup value={value} onValueChange={setChosen} disabled={!mayChange}>
          {inherited !== null && (
            <RadioOption
              value={INHERITED}
              label="Same as the organization"
              description={`Now: ${networkWords[inherited].label}`}
              disabled={!mayChange}
            />
          )}
          {networkModes.map((one) => (
            <RadioOption key={one} value={one} {...networkWords[one]} disabled={!mayChange} />
          ))}
        </RadioGroup>
      </Field>
      {change.error !== null && (
        <ErrorAlert title="The network could not be changed" {...describeError(change.error)} />
      )}
      {(isChanged || change.isPending) && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={change.isPending}>
            Save
          </Button>
          {/* What has begun cannot be taken back. */}
          <Button
            variant="outline"
            aria-disabled={change.isPending || undefined}
            onClick={change.isPending ? undefined : () => setChosen(null)}
          >
            Cancel
          </Button>
        </div>
      )}
    </form>
  );
}
