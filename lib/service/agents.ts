import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import type { OrganizationAgent, SignInAttempt, SignInToAgent } from "#lib/contract/runs/agent.ts";
import type { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import { recordAct } from "./audit.ts";
import { organizationAgents, presentSignIn } from "./organization-agents.ts";
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

/** Asks the engine to sign in to an agent. */
export async function signInToAgent(
  context: OrganizationContext,
  { params, body }: { params: { agent_id: string }; body: SignInToAgent },
): Promise<SignInAttempt> {
  const { organizationId } = context.access;
  return await context.store.transaction(async (store) => {
    const agent = (await store.agents.list()).find(({ id }) => id === params.agent_id);
    if (agent === undefined) throw notFound("Agent");
    if (!(await store.agentSignIns.isAllowed(organizationId))) {
      const detail =
        "All organizations share an agent's sign-in. Only the first one can change it: save a key instead.";
      throw new ApiError("conflict", detail);
    }
    const { method } = body;
    if (!agent.sign_in_methods.some(({ id }) => id === method)) {
      const known = agent.sign_in_methods.map(({ id }) => id).join(", ");
      throw invalidField(
        ["method"],
        `${agent.title} has ${known === "" ? "no such methods" : `these methods: ${known}`}`,
      );
    }
    const asked = await store.agentSignIns.ask({ agentId: agent.id, organizationId, method });
    if (asked === null) throw new ApiError("conflict", `A sign-in to ${agent.title} is in progress.`);
    const object = { type: "agent", name: agent.title };
    await recordAct(store, context, { act: "agent.sign_in_asked", object, details: { agent: agent.id, method } });
    return presentSignIn(asked);
  });
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
