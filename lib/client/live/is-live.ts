import type { Run } from "#lib/contract/runs/run.ts";
import { isEnd, runStatuses } from "#lib/contract/runs/run-status.ts";

/** Whether something may still happen in a run by itself. False for an unknown status. */
export function isLive(run: Pick<Run, "status">): boolean {
  const status = runStatuses.find((known) => known === run.status);
  return status !== undefined && !isEnd(status);
}
