import type { Agent, OrganizationAgent, SignInAttempt } from "#lib/contract/runs/agent.ts";
import type { AgentCommandsRow } from "#lib/store/agents/agent-commands.ts";
import type { AgentRefusal } from "#lib/store/agents/agent-refusals.ts";
import type { AgentSignInRow } from "#lib/store/agents/agent-sign-ins.ts";
import type { Store } from "#lib/store/store.ts";
import { defaultModelOf, defaultModeOf } from "./default-model.ts";

/**
 * The agents as they are for an organization, in the engine's order. One for which the organization keeps a key needs no other
 * sign-in, and so may precede the installation's default; one that refused the organization's last run needs one, whatever it
 * says of itself, and is the default of none. Its commands are those that the organization's runs know.
 */
export async function organizationAgents(
  store: Pick<Store, "agents" | "agentKeys" | "agentRefusals" | "agentCommands" | "agentSignIns" | "settings">,
  organizationId: number,
): Promise<OrganizationAgent[]> {
  const [agents, marks, told, rows, refusals, settings, attempts, maySignIn] = await Promise.all([
    store.agents.list(),
    store.agents.marks(),
    store.agentCommands.list(organizationId),
    store.agentKeys.list({ organizationId, userId: null }),
    store.agentRefusals.list(organizationId),
    store.settings.get(organizationId),
    store.agentSignIns.list(organizationId),
    store.agentSignIns.isAllowed(organizationId),
  ]);
  const kept = new Set(rows.flatMap(({ repositoryId, variable }) => (repositoryId === null ? [variable] : [])));
  const keyOf = ({ keys, has_model }: Agent) => (has_model ? keys.find((variable) => kept.has(variable)) : undefined);
  const refusalOf = ({ id, has_model }: Agent) =>
    has_model ? refusals.find(({ agentId }) => agentId === id) : undefined;
  const toldBy = ({ id }: Agent) => told.find(({ agentId, mark }) => agentId === id && marks.get(id) === mark);
  const own = agents.map((agent) =>
    withRefusal(withKey(withCommands(agent, toldBy(agent)), keyOf(agent)), refusalOf(agent)),
  );
  const isFirst = (agent: Agent) => agent.is_default || (agent.state === "needs_sign_in" && keyOf(agent) !== undefined);
  const chosen = agents.findIndex((agent) => isFirst(agent) && refusalOf(agent) === undefined);
  const at = chosen >= 0 || !agents.some(isFirst) ? chosen : firstUsable(own);
  return own.map((agent, index) => ({
    ...agent,
    is_default: index === at,
    sign_in_methods: maySignIn ? agent.sign_in_methods : [],
    sign_in_attempt: presentSignIn(attempts.find(({ agentId }) => agentId === agent.id)),
    default_model: agent.has_model ? defaultModelOf(agent.id, settings) : null,
    default_mode: agent.has_model ? defaultModeOf(agent.id, settings) : null,
  }));
}

/** A sign-in as the API shows it. */
export function presentSignIn(row: AgentSignInRow): SignInAttempt;
export function presentSignIn(row: AgentSignInRow | undefined): SignInAttempt | null;
export function presentSignIn(row: AgentSignInRow | undefined): SignInAttempt | null {
  if (row === undefined) return null;
  const { method, state, error, askedAt } = row;
  return { method, state, error, asked_at: askedAt };
}

/** The first agent with a model that has answered and is not signed out, else the first one without a model; -1 if none is ready. */
function firstUsable(agents: readonly Agent[]): number {
  const isUsable = ({ ready, version, announced, sign_in }: Agent) =>
    ready && (version !== null || announced !== null) && sign_in.state !== "needed";
  const withModel = agents.findIndex((agent) => agent.has_model && isUsable(agent));
  return withModel >= 0 ? withModel : agents.findIndex(({ has_model, ready }) => !has_model && ready);
}

/** Most commands of an agent. */
const commandsMax = 200;

/**
 * The agent with the commands that it announced in the organization's last run. If it has answered the engine since, what it
 * announced then may be newer, but lacks the commands of repositories.
 */
function withCommands(agent: Agent, told: AgentCommandsRow | undefined): Agent {
  if (told === undefined || agent.announced === null) return agent;
  const { commands: found } = agent.announced;
  const others = told.commands.filter(({ name }) => found.every((one) => one.name !== name));
  const commands = told.at >= agent.checked_at ? told.commands : [...found, ...others].slice(0, commandsMax);
  return { ...agent, announced: { ...agent.announced, commands } };
}

function withKey(agent: Agent, key: string | undefined): Agent {
  if (key === undefined) return agent;
  const sign_in = { state: "signed_in" as const, detail: `Uses the organization's ${key}`, hint: null };
  return agent.state === "needs_sign_in" ? { ...agent, sign_in, state: "ready", reason: null } : { ...agent, sign_in };
}

function withRefusal(agent: Agent, refusal: AgentRefusal | undefined): Agent & { refused_at: string | null } {
  if (refusal === undefined) return { ...agent, refused_at: null };
  const hint = agent.sign_in.hint ?? refusal.hint;
  const words = refusal.words.replace(/\.$/, "");
  const refused = {
    ...agent,
    refused_at: refusal.since,
    sign_in: { state: "needed" as const, detail: words, hint },
  };
  if (agent.state !== "ready" && agent.state !== "needs_sign_in") return refused;
  const reason = `a run of this organization was refused (${words}). ${hint ?? ""}`.trim();
  return { ...refused, state: "needs_sign_in", reason };
}
