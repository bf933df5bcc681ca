import type { Agent } from "#lib/contract/runs/agent.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";

/** Agents isolated in the same way and for the same reason. */
export type KeptAlike = { isolation: Isolation; reason: string | null; agents: Agent[] };

/** Groups agents by isolation and its reason, those behind the wall first. Within a group they keep their order. */
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
