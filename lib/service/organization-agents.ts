import type { Agent, OrganizationAgent } from "#lib/contract/agent.ts";
import type { AgentRefusal } from "#lib/store/agent-refusals.ts";
import type { Store } from "#lib/store/store.ts";

/**
 * The agents as they are for an organization, in the engine's order. One for which the organization keeps a key needs no other
 * sign-in, and so may precede the installation's default; one that refused the organization's last run needs one, whatever it
 * says of itself, and is the default of none.
 */
export async function organizationAgents(
  store: Pick<Store, "agents" | "agentKeys" | "agentRefusals">,
  organizationId: number,
): Promise<OrganizationAgent[]> {
  const [agents, rows, refusals] = await Promise.all([
    store.agents.list(),
    store.agentKeys.list({ organizationId, userId: null }),
    store.agentRefusals.list(organizationId),
  ]);
  const kept = new Set(rows.flatMap(({ repositoryId, variable }) => (repositoryId === null ? [variable] : [])));
  const keyOf = ({ keys, has_model }: Agent) => (has_model ? keys.find((variable) => kept.has(variable)) : undefined);
  const refusalOf = ({ id, has_model }: Agent) =>
    has_model ? refusals.find(({ agentId }) => agentId === id) : undefined;
  const own = agents.map((agent) => withRefusal(withKey(agent, keyOf(agent)), refusalOf(agent)));
  const isFirst = (agent: Agent) => agent.is_default || (agent.state === "needs_sign_in" && keyOf(agent) !== undefined);
  const chosen = agents.findIndex((agent) => isFirst(agent) && refusalOf(agent) === undefined);
  const at = chosen >= 0 || !agents.some(isFirst) ? chosen : firstUsable(own);
  return own.map((agent, index) => ({ ...agent, is_default: index === at }));
}

/** The first agent with a model that has answered and is not signed out, else the first one without a model; -1 if none is ready. */
function firstUsable(agents: readonly Agent[]): number {
  const isUsable = ({ ready, version, announced, sign_in }: Agent) =>
    ready && (version !== null || announced !== null) && sign_in.state !== "needed";
  const withModel = agents.findIndex((agent) => agent.has_model && isUsable(agent));
  return withModel >= 0 ? withModel : agents.findIndex(({ has_model, ready }) => !has_model && ready);
}

function withKey(agent: Agent, key: string | undefined): Agent {
  if (key === undefined) return agent;
  const sign_in = { state: "signed_in" as const, detail: `Uses the organization's ${key}`, hint: null };
  return agent.state === "needs_sign_in" ? { ...agent, sign_in, state: "ready", reason: null } : { ...agent, sign_in };
}

function withRefusal(agent: Agent, refusal: AgentRefusal | undefined): OrganizationAgent {
  if (refusal === undefined) return { ...agent, refused_at: null };
  const hint = agent.sign_in.hint ?? refusal.hint;
  const words = refusal.words.replace(/\.$/, "");
  const refused: OrganizationAgent = {
    ...agent,
    refused_at: refusal.since,
    sign_in: { state: "needed", detail: words, hint },
  };
  if (agent.state !== "ready" && agent.state !== "needs_sign_in") return refused;
  const reason = `a run of this organization was refused (${words}). ${hint ?? ""}`.trim();
  return { ...refused, state: "needs_sign_in", reason };
}
