import type { ModelList } from "#lib/contract/runs/model-list.ts";
import { chooseForRun } from "./run-defaults.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Models of the agents that are ready and name some; those of the organization's default agent first. */
export async function listModels(context: OrganizationContext): Promise<ModelList> {
  const { store, access } = context;
  const [agents, standard] = await Promise.all([
    store.agents.list(),
    chooseForRun({ prompt: null }, access.organizationId, store),
  ]);
  const named = agents.filter(({ ready, has_model, models }) => ready && has_model && models.length > 0);
  const isOther = ({ id }: { id: string }) => (id === standard.agent ? 0 : 1);
  return {
    providers: named
      .toSorted((one, other) => isOther(one) - isOther(other))
      .map(({ title, models, announced }) => ({
        name: title,
        models: models.map((value) => ({
          label: announced?.models.find(({ id }) => id === value)?.name ?? value,
          value,
        })),
      })),
    default_model: standard.model ?? "",
  };
}
