import type { Run } from "#lib/contract/runs/run.ts";

type Timed = Pick<Run, "started_at" | "finished_at" | "work_ms" | "turn_started_at">;

/**
 * A run's time at work: `doneMs` is the time of finished work, and `since` the start of current work, in ms since 1970; null if
 * it is not at work.
 */
export type RunTime = { doneMs: number; since: number | null };

/**
 * A run's time at work: its turns, without the time between them. If turns are not timed, as with agents in other systems, it is
 * the time from start to end. Null before the start.
 */
export function runTimeOf({ started_at, finished_at, work_ms, turn_started_at }: Timed): RunTime | null {
  if (started_at === null) return null;
  if (work_ms !== null)
    return { doneMs: work_ms, since: turn_started_at === null ? null : Date.parse(turn_started_at) };
  const since = Date.parse(started_at);
  return finished_at === null ? { doneMs: 0, since } : { doneMs: Date.parse(finished_at) - since, since: null };
}

/** Time from an ended run's start to its end in ms, if that is longer than its time at work; otherwise null. */
export function elapsedMsOf(run: Timed): number | null {
  const time = runTimeOf(run);
  if (time === null || run.started_at === null || run.finished_at === null) return null;
  const elapsed = Date.parse(run.finished_at) - Date.parse(run.started_at);
  return elapsed - time.doneMs >= 1000 ? elapsed : null;
}
