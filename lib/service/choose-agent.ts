import { type Agent, builtInAgent, externalAgent, internalAgents } from "#lib/contract/agent.ts";
import { invalidField } from "#lib/contract/error.ts";
import type { CreateRun } from "#lib/contract/run.ts";
import type { Store } from "#lib/store/store.ts";

/** The reference service's names for agents; null stands for the organization's default. */
const referenceAgents: Record<string, string | null> = { codegen: null, claude_code: "claude" };

/**
 * The agent of a new run: the one that is named, else the organization's default or the instance's where they are ready, else the
 * first that is ready, else the built-in one.
 * Throws 400 naming the field where it is unknown (with those known), not ready (with the reason) or takes no model and
 * one is named.
 */
export async function chooseAgent(
  { agent, model }: Pick<CreateRun, "agent" | "model">,
  store: Pick<Store, "agents">,
  ownDefault: string | null = null,
): Promise<string> {
  const agents = await store.agents.list();
  const id = agent == null ? defaultOf(agents, ownDefault) : namedIn(agents, agent, "agent");
  refuseModel(agents, id, model ?? null, "model");
  return id;
}

/** The agent and the model of a new run; `missed` says in sentences why it is not the agent that was wished for. */
export type ChosenAgent = { agent: string; model: string | null; missed: string | null };

/**
 * {@link chooseAgent}, where `agent_type` is a wish: clients of the reference service name the same one always. If that agent is
 * not ready the default works, and without the model, which was meant for the other one.
 */
export async function chooseRunAgent(
  wanted: Pick<CreateRun, "agent" | "agent_type" | "model">,
  store: Pick<Store, "agents">,
  ownDefault: string | null = null,
): Promise<ChosenAgent> {
  const model = wanted.model ?? null;
  const wish = wanted.agent == null ? fromReference(wanted.agent_type ?? null) : null;
  if (wish === null) return { agent: await chooseAgent(wanted, store, ownDefault), model, missed: null };
  const agents = await store.agents.list();
  const why = whyNotReady(agents, wish, wanted.agent_type ?? wish);
  if (why !== null) {
    const agent = defaultOf(agents, ownDefault);
    const title = agents.find(({ id }) => id === agent)?.title ?? agent;
    const leftOut = model === null ? "" : ` The model ${model} was left out: it was named for that agent.`;
    return { agent, model: null, missed: `${why} ${title} works in its place.${leftOut}` };
  }
  const agent = namedIn(agents, wish, "agent_type");
  refuseModel(agents, agent, model, "model");
  return { agent, model, missed: null };
}

/** Refuses a model for an agent that takes none: 400. */
export async function checkModel(
  agent: string,
  model: string,
  store: Pick<Store, "agents">,
  field: "model" | "default_model" = "model",
): Promise<void> {
  refuseModel(await store.agents.list(), agent, model, field);
}

function defaultOf(agents: Agent[], ownDefault: string | null): string {
  const ready = agents.filter((agent) => agent.ready);
  const own = ready.find((agent) => agent.id === ownDefault);
  return (own ?? ready.find((agent) => agent.is_default) ?? ready[0])?.id ?? builtInAgent;
}

/** Why an agent that is wished for cannot work, as a sentence; null where it can, or is no agent that could be ready some day. */
function whyNotReady(agents: Agent[], wish: string, asked: string): string | null {
  const found = agents.find(({ id }) => id === wish);
  if (found !== undefined) {
    const reason = found.reason === null ? "no reason is known" : found.reason.replace(/\.$/, "");
    return found.ready ? null : `${found.title} was asked for (agent_type ${asked}) and is not ready: ${reason}.`;
  }
  if (!Object.hasOwn(referenceAgents, asked)) return null;
  return `The agent ${wish} was asked for (agent_type ${asked}) and is not among those of this service.`;
}

function namedIn(agents: Agent[], named: string, field: "agent" | "agent_type"): string {
  if (named === externalAgent) return externalAgent;
  const only = Object.hasOwn(internalAgents, named) ? internalAgents[named] : undefined;
  if (only !== undefined) throw invalidField([field], `the agent "${named}" works only in runs that ${only} starts`);
  const found = agents.find((agent) => agent.id === named);
  // Before the first engine has looked around the list is empty; the built-in agent is there all the same.
  if (found === undefined && named === builtInAgent) return builtInAgent;
  if (found === undefined) {
    const known = agents.length === 0 ? builtInAgent : agents.map((agent) => agent.id).join(", ");
    throw invalidField([field], `no agent has the name "${named}"; there are: ${known}`);
  }
  if (!found.ready) throw invalidField([field], `${found.title} is not ready: ${found.reason ?? "no reason is known"}`);
  return found.id;
}

function refuseModel(agents: Agent[], id: string, model: string | null, field: string): void {
  const found = agents.find((agent) => agent.id === id);
  if (model === null || (found?.has_model ?? id !== builtInAgent)) return;
  throw invalidField([field], `the run's agent is ${found?.title ?? id}, which takes no model; leave the model out`);
}

function fromReference(agentType: string | null): string | null {
  if (agentType === null) return null;
  return Object.hasOwn(referenceAgents, agentType) ? (referenceAgents[agentType] ?? null) : agentType;
}
