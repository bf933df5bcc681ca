import type { Run } from "#lib/contract/run.ts";

type Timed = Pick<Run, "started_at" | "finished_at" | "work_ms" | "turn_started_at">;

/** Time of a run at work: `doneMs` that is over, and since when it is at work again, in ms since 1970; null: it is not. */
export type RunTime = { doneMs: number; since: number | null };

/**
 * How long a run was at work: its turns without the time between them. From its start to its end where turns are not timed, as
 * for agents in other systems. Null before its start.
 */
export function runTimeOf({ started_at, finished_at, work_ms, turn_started_at }: Timed): RunTime | null {
  if (started_at === null) return null;
  if (work_ms !== null)
    return { doneMs: work_ms, since: turn_started_at === null ? null : Date.parse(turn_started_at) };
  const since = Date.parse(started_at);
  return finished_at === null ? { doneMs: 0, since } : { doneMs: Date.parse(finished_at) - since, since: null };
}

/** Time from an ended run's start to its end in ms, where it is longer than the time at work; otherwise null. */
export function elapsedMsOf(run: Timed): number | null {
  const time = runTimeOf(run);
  if (time === null || run.started_at === null || run.finished_at === null) return null;
  const elapsed = Date.parse(run.finished_at) - Date.parse(run.started_at);
  return elapsed - time.doneMs >= 1000 ? elapsed : null;
}
