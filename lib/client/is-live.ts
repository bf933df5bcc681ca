import type { Run } from "#lib/contract/run.ts";
import { isEnd, RunStatus } from "#lib/contract/run-status.ts";

/** Whether something may still happen in a run by itself. False for a status that is not known here. */
export function isLive(run: Pick<Run, "status">): boolean {
  const status = RunStatus.safeParse(run.status);
  return status.success && !isEnd(status.data);
}
