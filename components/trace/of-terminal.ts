import { externalAgent } from "#lib/contract/agent.ts";
import type { Run } from "#lib/contract/run.ts";

/** Whether the run is a session of somebody's own terminal: it is watched here, and goes on there alone. */
export function isOfTerminal(run: Pick<Run, "source_type" | "agent">): boolean {
  return run.source_type === "LOCAL" && run.agent === externalAgent;
}
