import type { Agent } from "#lib/contract/agent.ts";
import type { Store } from "#lib/store/store.ts";

/**
 * The agents as they are for an organization, in the engine's order. One for which the organization keeps a key needs no other
 * sign-in, and so may precede the installation's default.
 */
export async function organizationAgents(
  store: Pick<Store, "agents" | "agentKeys">,
  organizationId: number,
): Promise<Agent[]> {
  const [agents, rows] = await Promise.all([
    store.agents.list(),
    store.agentKeys.list({ organizationId, userId: null }),
  ]);
  const kept = new Set(rows.flatMap(({ repositoryId, variable }) => (repositoryId === null ? [variable] : [])));
  const keyOf = ({ keys, has_model }: Agent) => (has_model ? keys.find((variable) => kept.has(variable)) : undefined);
  const chosen = agents.findIndex(
    (agent) => agent.is_default || (agent.state === "needs_sign_in" && keyOf(agent) !== undefined),
  );
  return agents.map((agent, at) => ({ ...withKey(agent, keyOf(agent)), is_default: at === chosen }));
}

function withKey(agent: Agent, key: string | undefined): Agent {
  if (key === undefined) return agent;
  const sign_in = { state: "signed_in" as const, detail: `Uses the organization's ${key}`, hint: null };
  return agent.state === "needs_sign_in" ? { ...agent, sign_in, state: "ready", reason: null } : { ...agent, sign_in };
}
