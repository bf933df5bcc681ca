"use client";

import { useRef } from "react";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { type Place, useChangeNetwork } from "#lib/client/pages/isolation-queries.ts";
import type { NetworkMode } from "#lib/contract/repositories/network.ts";
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
  const form = useSavedForm({
    saved: { network: mode ?? INHERITED },
    bodyOf: ({ network }) => ({ network: networkModes.find((one) => one === network) ?? null }),
    mutation: useChangeNetwork(place),
    requestOf: (changes) => changes,
    onSaved: () => toast({ title: "Network changed", description: "Takes effect with the next turn." }),
  });
  const element = useRef<HTMLFormElement>(null);
  const keptFocus = useKeptFocus(element);
  const { value, onChange } = form.field("network");
  return (
    <form ref={element} tabIndex={-1} {...form.attributes} className="grid gap-3 rounded-md" {...keptFocus}>
      <Field label="Agents behind the wall can reach" labelHidden={place.repoId !== null}>
        <RadioGroup value={value} onValueChange={onChange} disabled={!mayChange}>
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
      {(form.state.isChanged || form.state.isSaving) && (
        <SaveBar form={form.state} discardLabel="Cancel" failure="The network could not be changed" />
      )}
    </form>
  );
}
