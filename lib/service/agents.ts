import type { Agent } from "#lib/contract/agent.ts";
import type { OrganizationContext } from "./service-context.ts";

/** The agents as an engine found them last, ready ones first; the default stands before the others. */
export async function listAgents(context: OrganizationContext): Promise<{ items: Agent[] }> {
  const settings = await context.store.settings.get(context.access.organizationId);
  const listed = await context.store.agents.list();
  // What the organization sets goes before what the instance does, as long as it is there.
  const own = listed.find(({ id }) => id === settings.defaultAgent);
  const agents = own === undefined ? listed : listed.map((agent) => ({ ...agent, is_default: agent === own }));
  const rank = (agent: Agent) => (agent.ready ? 0 : 2) + (agent.is_default ? 0 : 1);
  return { items: agents.toSorted((one, other) => rank(one) - rank(other)) };
}
