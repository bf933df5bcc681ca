import { externalAgent } from "#lib/contract/agent-ids.ts";
import type { Run } from "#lib/contract/run.ts";

/** Whether the run is a session in somebody's own terminal: it can only be watched here, and continues there. */
export function isTerminalSession(run: Pick<Run, "source_type" | "agent">): boolean {
  return run.source_type === "LOCAL" && run.agent === externalAgent;
}
