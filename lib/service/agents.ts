import type { OrganizationAgent } from "#lib/contract/agent.ts";
import type { MachineIsolation } from "#lib/contract/isolation.ts";
import { organizationAgents } from "./organization-agents.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Agents as an engine last found them: the default first, then the ready ones. */
export async function listAgents(
  context: OrganizationContext,
): Promise<{ items: OrganizationAgent[]; file_problem: string | null }> {
  const settings = await context.store.settings.get(context.access.organizationId);
  const found = await organizationAgents(context.store, context.access.organizationId);
  const listed = settings.requireWall ? found.map(walled) : found;
  // The organization's default agent wins over the installation's, as long as it exists.
  const own = listed.find(({ id }) => id === settings.defaultAgent);
  const agents = own === undefined ? listed : listed.map((agent) => ({ ...agent, is_default: agent === own }));
  const rank = (agent: OrganizationAgent) => (agent.ready ? 0 : 2) + (agent.is_default ? 0 : 1);
  const file_problem = await context.store.agents.findFileProblem();
  return { items: agents.toSorted((one, other) => rank(one) - rank(other)), file_problem };
}

/** State of isolation on the machine of the agents. */
export async function getIsolation({ store }: OrganizationContext): Promise<{ machine: MachineIsolation | null }> {
  return { machine: await store.agents.findMachine() };
}

/** An agent in an organization that requires the wall: behind it, or not ready. */
function walled(agent: OrganizationAgent): OrganizationAgent {
  const { ready, wall_problem: problem } = agent;
  const kept: OrganizationAgent = { ...agent, isolation: "wall", isolation_reason: null };
  if (!ready || problem === null) return kept;
  return { ...kept, ready: false, reason: `This organization requires the wall. ${problem}` };
}
