import type { Agent } from "#lib/contract/agent.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Agents as an engine last found them: the default first, then the ready ones. */
export async function listAgents(context: OrganizationContext): Promise<{ items: Agent[] }> {
  const settings = await context.store.settings.get(context.access.organizationId);
  const listed = await context.store.agents.list();
  // The organization's default agent wins over the installation's, as long as it exists.
  const own = listed.find(({ id }) => id === settings.defaultAgent);
  const agents = own === undefined ? listed : listed.map((agent) => ({ ...agent, is_default: agent === own }));
  const rank = (agent: Agent) => (agent.ready ? 0 : 2) + (agent.is_default ? 0 : 1);
  return { items: agents.toSorted((one, other) => rank(one) - rank(other)) };
}
