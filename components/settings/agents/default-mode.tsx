"use client";

import { toastFailure } from "#components/page/toast-failure.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import type { OrganizationAgent } from "#lib/contract/runs/agent.ts";

/** The organization's mode for runs of the agent that name none, if it announces any. */
export function DefaultMode({ orgId, agent }: { orgId: number; agent: OrganizationAgent }) {
  const { id, title, announced, default_mode } = agent;
  const change = useChangeSettings(orgId);
  const modes = announced?.modes ?? [];
  if (modes.length < 2) return null;
  const choose = (text: string) => {
    const mode = text === "" ? null : text;
    if (mode === default_mode || change.isPending) return;
    const name = modes.find((one) => one.id === mode)?.name ?? mode;
    change.mutate(
      { default_modes: { [id]: mode } },
      {
        onSuccess: () =>
          toast({ title: name === null ? `Errand sets the mode of ${title}` : `Default mode of ${title}: ${name}` }),
        onError: toastFailure("The mode could not be changed"),
      },
    );
  };
  return (
    <Field
      label={`Default mode of ${title}`}
      hint="For runs that approve requests automatically."
      className="sm:max-w-80"
    >
      <Combobox
        value={modes.some((mode) => mode.id === default_mode) ? (default_mode ?? "") : ""}
        onValueChange={choose}
        options={[
          { value: "", label: "Errand's default", isNone: true },
          ...modes.map(({ id: value, name, description }) => ({
            ...{ value, label: name, keywords: [value] },
            ...(description === null ? {} : { description }),
          })),
        ]}
        searchPlaceholder="Find a mode"
      />
    </Field>
  );
}
