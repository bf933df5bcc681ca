import { invalidField } from "#lib/contract/error.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { builtInAgent, externalAgent, internalAgents } from "#lib/contract/runs/agent-ids.ts";
import type { CreateRun, PermissionMode } from "#lib/contract/runs/run.ts";
import type { Store } from "#lib/store/store.ts";

/** The reference service's names for agents; null is the organization's default. */
const referenceAgents: Record<string, string | null> = { codegen: null, claude_code: "claude" };

/**
 * Agent of a new run: the named one; or the organization's or the installation's default if ready; or the first that is
 * ready; or the built-in one. Throws a 400 naming the field if the agent is unknown (listing the known ones), not ready
 * (with the reason), or takes no model although one is named.
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

/** Agent and model of a new run. `missed` says in sentences why it is not the preferred agent. */
export type ChosenAgent = { agent: string; model: string | null; missed: string | null };

/**
 * {@link chooseAgent} for `agent_type`, which is only a preference: clients of the reference service always name the
 * same one. If that agent is not ready, the default works, without the model, which was meant for the other agent.
 */
export async function chooseRunAgent(
  wanted: Pick<CreateRun, "agent" | "agent_type" | "model">,
  store: Pick<Store, "agents">,
  ownDefault: string | null = null,
): Promise<ChosenAgent> {
  const model = wanted.model ?? null;
  const preferred = wanted.agent == null ? fromReference(wanted.agent_type ?? null) : null;
  if (preferred === null) return { agent: await chooseAgent(wanted, store, ownDefault), model, missed: null };
  const agents = await store.agents.list();
  const why = whyNotReady(agents, preferred, wanted.agent_type ?? preferred);
  if (why !== null) {
    const agent = defaultOf(agents, ownDefault);
    const title = agents.find(({ id }) => id === agent)?.title ?? agent;
    const leftOut = model === null ? "" : ` The model ${model} was left out: it was named for that agent.`;
    return { agent, model: null, missed: `${why} ${title} is used instead.${leftOut}` };
  }
  const agent = namedIn(agents, preferred, "agent_type");
  refuseModel(agents, agent, model, "model");
  return { agent, model, missed: null };
}

/** Throws 400 if a model is named for an agent that takes none. */
export async function checkModel(
  agent: string,
  model: string,
  store: Pick<Store, "agents">,
  field: "model" | "default_model" | "default_models" = "model",
): Promise<void> {
  refuseModel(await store.agents.list(), agent, model, field);
}

/**
 * Throws 400 for a mode that the agent has not announced, or together with a permission mode that needs its own mode. Before an
 * agent has announced anything, the run itself finds out.
 */
export async function checkMode(
  agent: string,
  mode: string,
  permissionMode: PermissionMode,
  store: Pick<Store, "agents">,
  loc: string[] = ["mode"],
): Promise<void> {
  if (permissionMode !== "auto") {
    throw invalidField(loc, `needs permission_mode auto; ${permissionMode} chooses the agent's mode itself`);
  }
  const found = (await store.agents.list()).find(({ id }) => id === agent);
  if (found?.has_model && found.announced === null) return;
  const modes = found?.announced?.modes ?? [];
  if (modes.some(({ id }) => id === mode)) return;
  const known = modes.length === 0 ? "it announces none" : `there are: ${modes.map(({ id }) => id).join(", ")}`;
  throw invalidField(loc, `${found?.title ?? agent} has no mode "${mode}"; ${known}`);
}

function defaultOf(agents: Agent[], ownDefault: string | null): string {
  const ready = agents.filter((agent) => agent.ready);
  const own = ready.find((agent) => agent.id === ownDefault);
  return (own ?? ready.find((agent) => agent.is_default) ?? ready[0])?.id ?? builtInAgent;
}

/** Why a preferred agent cannot work, as a sentence; null if it can, or is not an agent that could ever be ready. */
function whyNotReady(agents: Agent[], preferred: string, asked: string): string | null {
  const found = agents.find(({ id }) => id === preferred);
  if (found !== undefined) {
    const reason = found.reason === null ? "no reason is known" : found.reason.replace(/\.$/, "");
    return found.ready ? null : `${found.title} was asked for (agent_type ${asked}) but is not ready: ${reason}.`;
  }
  if (!Object.hasOwn(referenceAgents, asked)) return null;
  return `The agent ${preferred} was asked for (agent_type ${asked}) but is not available here.`;
}

function namedIn(agents: Agent[], named: string, field: "agent" | "agent_type"): string {
  if (named === externalAgent) return externalAgent;
  const only = Object.hasOwn(internalAgents, named) ? internalAgents[named] : undefined;
  if (only !== undefined) throw invalidField([field], `the agent "${named}" works only in runs that ${only} starts`);
  const found = agents.find((agent) => agent.id === named);
  // Before the first engine has checked, the list is empty; the built-in agent always exists.
  if (found === undefined && named === builtInAgent) return builtInAgent;
  if (found === undefined) {
    const known = agents.length === 0 ? builtInAgent : agents.map((agent) => agent.id).join(", ");
    throw invalidField([field], `there is no agent "${named}"; choose one of: ${known}`);
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
