import type { Agent } from "#lib/contract/agent.ts";
import type { OrganizationContext } from "./service-context.ts";

/** The agents as an engine found them last, ready ones first; the default stands before the others. */
export async function listAgents(context: OrganizationContext): Promise<{ items: Agent[] }> {
  const agents = await context.store.agents.list();
  const rank = (agent: Agent) => (agent.ready ? 0 : 2) + (agent.is_default ? 0 : 1);
  return { items: agents.toSorted((one, other) => rank(one) - rank(other)) };
}
