import { type Agent, builtInAgent, externalAgent, internalAgents } from "#lib/contract/agent.ts";
import { invalidField } from "#lib/contract/error.ts";
import type { CreateRun } from "#lib/contract/run.ts";
import type { Store } from "#lib/store/store.ts";

/** The reference service's names for agents; null stands for the organization's default. */
const referenceAgents: Record<string, string | null> = { codegen: null, claude_code: "claude" };

/**
 * The agent of a new run: the one that is named, else the ready default, else the first that is ready, else the built-in one.
 * Throws 400 naming the field where it is unknown (with those known), not ready (with the reason) or takes no model and
 * one is named.
 */
export async function chooseAgent(
  wanted: Pick<CreateRun, "agent" | "agent_type" | "model">,
  store: Pick<Store, "agents">,
): Promise<string> {
  const agents = await store.agents.list();
  const id = chooseFrom(agents, wanted);
  refuseModel(agents, id, wanted.model ?? null);
  return id;
}

/** Refuses a model for a further turn of a run whose agent takes none: 400. */
export async function checkModel(agent: string, model: string, store: Pick<Store, "agents">): Promise<void> {
  refuseModel(await store.agents.list(), agent, model);
}

function chooseFrom(agents: Agent[], wanted: Pick<CreateRun, "agent" | "agent_type">): string {
  const field = wanted.agent != null ? "agent" : "agent_type";
  const named = wanted.agent ?? fromReference(wanted.agent_type ?? null);
  if (named === null) {
    const ready = agents.filter((agent) => agent.ready);
    return (ready.find((agent) => agent.is_default) ?? ready[0])?.id ?? builtInAgent;
  }
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

function refuseModel(agents: Agent[], id: string, model: string | null): void {
  const found = agents.find((agent) => agent.id === id);
  if (model === null || (found?.has_model ?? id !== builtInAgent)) return;
  throw invalidField(["model"], `the run's agent is ${found?.title ?? id}, which takes no model; leave the model out`);
}

function fromReference(agentType: string | null): string | null {
  if (agentType === null) return null;
  return Object.hasOwn(referenceAgents, agentType) ? (referenceAgents[agentType] ?? null) : agentType;
}
