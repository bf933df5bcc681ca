import { endStatuses } from "./run-end.ts";

export { type EndStatus, endStatuses, failureStatuses, isEnd } from "./run-end.ts";

/** Every status of a run, in the order of its life. */
export const runStatuses = ["queued", "running", "waiting", "evaluating", ...endStatuses] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Queued by a resume, evaluated by a request for its pull request. */
const afterEnd: RunStatus[] = ["queued", "evaluating"];

/** Transition table: every other change of status is a defect, and the store refuses it. */
export const transitions: Record<RunStatus, readonly RunStatus[]> = {
  queued: ["running", "cancelled"],
  running: ["waiting", "evaluating", ...endStatuses],
  waiting: ["running", "cancelled", "timed_out", "interrupted"],
  evaluating: ["running", ...endStatuses],
  completed: afterEnd,
  failed: afterEnd,
  cancelled: afterEnd,
  timed_out: afterEnd,
  max_turns_reached: afterEnd,
  out_of_tokens: afterEnd,
  interrupted: afterEnd,
};

/** The reference service's upper-case words, for tokens that ask for them (`status_style: "reference"`). */
export const referenceStatus: Record<RunStatus, string> = {
  queued: "PENDING",
  running: "ACTIVE",
  waiting: "PAUSED",
  evaluating: "EVALUATION",
  completed: "COMPLETE",
  failed: "FAILED",
  cancelled: "CANCELLED",
  timed_out: "TIMEOUT",
  max_turns_reached: "MAX_ITERATIONS_REACHED",
  out_of_tokens: "OUT_OF_TOKENS",
  interrupted: "PAUSED",
};

/**
 * Parses status words, each once, ours and the reference service's (PAUSED is waiting and interrupted); for an unknown word
 * returns the message.
 */
export function parseStatusWords(words: string[]): RunStatus[] | string {
  const statuses = new Set<RunStatus>();
  for (const word of words) {
    const named = runStatuses.filter((status) => status === word || referenceStatus[status] === word);
    if (named.length === 0) return `must be among ${runStatuses.join(", ")}`;
    for (const status of named) statuses.add(status);
  }
  return [...statuses];
}
