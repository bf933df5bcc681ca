import { formatCountOf } from "#components/shell/format-number.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";

type Waiting = Pick<Run, "status" | "agent" | "queue_position"> & { pull_request: Pick<PullRequest, "stage"> | null };
type PullRequest = NonNullable<Run["pull_request"]>;

/** What a live run waits for while nothing is at work here, in words; null if something is, or a person is asked. */
export function waitingWords({ status, agent, queue_position, pull_request }: Waiting): string | null {
  if (status === "queued") return queueWords(queue_position);
  // The turn that fixes failed checks makes the run a running one when it starts.
  if (status === "evaluating" && pull_request?.stage === "fixing")
    return "The next turn starts as soon as a slot is free.";
  return status === "running" && agent === externalAgent ? "Waiting for the other system." : null;
}

function queueWords(position: number | null): string {
  if (position === null) return "Queued. It starts as soon as a slot is free.";
  return position === 1 ? "Queued, next to start." : `Queued behind ${formatCountOf(position - 1, "other run")}.`;
}
