import { isEnd } from "#lib/contract/runs/run-status.ts";
import { clockDifferenceMax } from "#lib/store/runs/reported-times.ts";
import type { RunRow } from "#lib/store/store.ts";
import { at, beginOf, type Span, type Steps } from "./steps.ts";

/** The whole time span of a run. */
export type RunSpan = Span & {
  /**
   * All entries have an imported clock: they were reported after they had happened, so nothing the service itself observed (turns,
   * questions, now) fits between them.
   */
  isImported: boolean;
  /** `to` is now, and moves. */
  isLive: boolean;
};

/**
 * Time span of a run: every step ended in it. `isPart` is true if the steps are part of the run: then only their times
 * count, as if their clock were imported.
 */
export function runSpanOf(run: RunRow, steps: Steps, nowMs: number, isPart = false): RunSpan {
  const createdAt = Date.parse(run.createdAt);
  const startedAt = run.startedAt === null ? createdAt : Date.parse(run.startedAt);
  const hasEnded = isEnd(run.status);
  if (steps.count === 0 && isPart) return { from: createdAt, to: createdAt, isImported: true, isLive: false };
  const endedAt = hasEnded ? Date.parse(run.finishedAt ?? run.createdAt) : nowMs;
  if (steps.count === 0)
    return { from: startedAt, to: Math.max(startedAt, endedAt), isImported: false, isLive: !hasEnded };
  const earliest = steps.order === null ? 0 : at(steps.order, 0);
  const latest = steps.order === null ? steps.count - 1 : at(steps.order, steps.count - 1);
  const lastTime = at(steps.times, latest);
  if (isPart) return { from: beginOf(steps, earliest), to: lastTime, isImported: true, isLive: false };
  if (lastTime < createdAt - clockDifferenceMax) {
    const from = Math.min(startedAt, beginOf(steps, earliest));
    return { from, to: hasEnded ? Math.max(lastTime, endedAt) : lastTime, isImported: true, isLive: false };
  }
  return {
    from: Math.min(startedAt, at(steps.times, earliest)),
    to: Math.max(lastTime, endedAt),
    isImported: false,
    isLive: !hasEnded,
  };
}
