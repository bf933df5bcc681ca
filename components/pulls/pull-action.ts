import { isLive } from "#lib/client/live/is-live.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Label of the current action for a run's work on its code host; null if there is none, or it is in progress. */
export function pullActionOf(
  run: Pick<Run, "status" | "agent" | "repo_id" | "branch" | "changes" | "pull_request">,
): "Open pull request" | "Update pull request" | null {
  if (isLive(run) || run.agent === externalAgent || run.repo_id === null || run.branch === null) return null;
  const { pull_request: pull, changes } = run;
  if (pull === null) return changes !== null && changes.files > 0 ? "Open pull request" : null;
  if (pull.state === "closed" || pull.state === "merged") return null;
  return pull.number === null ? "Open pull request" : "Update pull request";
}
