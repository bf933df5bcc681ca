"use client";

import { useQuery } from "@tanstack/react-query";
import { toastFailure } from "#components/page/toast-failure.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import type { OrganizationAgent } from "#lib/contract/runs/agent.ts";

/** The organization's model for runs of the agent that name none. */
export function DefaultModel({ orgId, agent }: { orgId: number; agent: OrganizationAgent }) {
  const { id, title, models, announced, default_model } = agent;
  const settings = useQuery(settingsQuery(orgId)).data;
  const change = useChangeSettings(orgId);
  const choose = (text: string) => {
    const model = text === "" ? null : text;
    if (model === default_model || change.isPending) return;
    // For the default agent, the organization's own default comes first.
    const ofDefault = settings?.default_agent === id ? { default_model: model } : {};
    change.mutate(
      { default_models: { [id]: model }, ...ofDefault },
      {
        onSuccess: () => toast({ title: model === null ? `${title} chooses its model` : `${title} uses ${model}` }),
        onError: toastFailure("The model could not be changed"),
      },
    );
  };
  const names = new Map(announced?.models.map((model) => [model.id, model.name]));
  const offered = default_model === null || models.includes(default_model) ? models : [default_model, ...models];
  return (
    <Field label={`Default model of ${title}`} className="sm:max-w-80">
      <Combobox
        value={default_model ?? ""}
        disabled={settings === undefined}
        onValueChange={choose}
        options={[
          { value: "", label: "The agent's default", isNone: true },
          ...offered.map((model) => ({ value: model, label: names.get(model) ?? model, keywords: [model] })),
        ]}
        customLabel={(text) => `Use “${text}”`}
        searchPlaceholder="Find or type a model"
      />
    </Field>
  );
}
