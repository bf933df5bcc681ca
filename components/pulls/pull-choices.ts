import type { Run } from "#lib/contract/runs/run.ts";

/** What a person can have done to a run's pull request, or to Errand's work on it. */
export type PullChoice = "ready_for_review" | "draft" | "closed" | "open" | "ban" | "unban";

/** What makes sense in the pull request's state, in the order of the menu. */
export function pullChoicesOf({
  pull_request: pull,
  banned_at,
}: Pick<Run, "pull_request" | "banned_at">): PullChoice[] {
  if (pull === null || pull.number === null || pull.state === "merged") return [];
  if (pull.state === "closed") return banned_at === null ? ["open"] : ["open", "unban"];
  return [pull.draft ? "ready_for_review" : "draft", "closed", banned_at === null ? "ban" : "unban"];
}
