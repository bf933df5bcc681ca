import { isEnd } from "#lib/contract/run-status.ts";
import type { RunRow } from "#lib/store/store.ts";
import { at, beginOf, type Span, type Steps } from "./steps.ts";

/** Entries that are older than their run by more than this tell of another time, in ms. */
const clockDifferenceMax = 60_000;

/** The whole of a run's time. */
export type RunSpan = Span & {
  /**
   * The entries tell of another time than the service's own: they were reported later than they happened, so nothing that the
   * service saw (turns, questions, now) has a place beside them.
   */
  isTold: boolean;
  /** `to` is now, and moves. */
  isLive: boolean;
};

/**
 * From when to when a run lasted: every step ended in it. `isPart` is true where the steps are a part of the run: then their times alone
 * count, as if they told of another time.
 */
export function runSpanOf(run: RunRow, steps: Steps, nowMs: number, isPart = false): RunSpan {
  const createdAt = Date.parse(run.createdAt);
  const startedAt = run.startedAt === null ? createdAt : Date.parse(run.startedAt);
  const hasEnded = isEnd(run.status);
  const endedAt = hasEnded ? Date.parse(run.finishedAt ?? run.createdAt) : nowMs;
  if (steps.count === 0) return { from: startedAt, to: Math.max(startedAt, endedAt), isTold: false, isLive: !hasEnded };
  const earliest = steps.order === null ? 0 : at(steps.order, 0);
  const latest = steps.order === null ? steps.count - 1 : at(steps.order, steps.count - 1);
  const lastTime = at(steps.times, latest);
  if (isPart || at(steps.times, earliest) < createdAt - clockDifferenceMax) {
    return { from: beginOf(steps, earliest), to: lastTime, isTold: true, isLive: false };
  }
  return {
    from: Math.min(startedAt, at(steps.times, earliest)),
    to: Math.max(lastTime, endedAt),
    isTold: false,
    isLive: !hasEnded,
  };
}
