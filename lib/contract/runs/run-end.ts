/** A status in which nothing happens until somebody resumes the run. */
export const endStatuses = [
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "max_turns_reached",
  "out_of_tokens",
  "interrupted",
] as const;
export type EndStatus = (typeof endStatuses)[number];

/** The ends that nobody asked for, and that are no restart of Errand: the turn did not do what it was to do. */
export const failureStatuses = [
  "failed",
  "timed_out",
  "max_turns_reached",
  "out_of_tokens",
] as const satisfies EndStatus[];

const ends: ReadonlySet<string> = new Set(endStatuses);

/** True where the run has ended (and can be resumed). */
export function isEnd(status: string): status is EndStatus {
  return ends.has(status);
}
