import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Whether the run is a session in somebody's own terminal: it can only be watched here, and continues there. */
export function isTerminalSession(run: Pick<Run, "source_type" | "agent">): boolean {
  return run.source_type === "LOCAL" && run.agent === externalAgent;
}
