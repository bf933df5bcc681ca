import type { Agent } from "#lib/contract/agent.ts";
import type { Isolation } from "#lib/contract/isolation.ts";

/** Agents that are kept alike, for one reason. */
export type KeptAlike = { isolation: Isolation; reason: string | null; agents: Agent[] };

/** Agents by how they are kept and why, those behind the wall first; in a group, in their order. */
export function groupByKeeping(agents: readonly Agent[]): KeptAlike[] {
  const groups = new Map<string, KeptAlike>();
  for (const agent of agents) {
    const { isolation, isolation_reason: reason } = agent;
    const key = `${isolation} ${reason ?? ""}`;
    const group = groups.get(key) ?? { isolation, reason, agents: [] };
    group.agents.push(agent);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (one, other) => Number(one.isolation === "leash") - Number(other.isolation === "leash"),
  );
}
