const earliestMs = Date.UTC(2000, 0, 1);
const aheadMsMax = 86_400_000;

/**
 * Whether another system's time can be that of a step, so that it may decide when a run began and ended: not before 2000 and not
 * more than a day after `nowMs`. Both are milliseconds since 1970; NaN is no time.
 */
export function isEntryTime(ms: number, nowMs: number): boolean {
  return ms >= earliestMs && ms <= nowMs + aheadMsMax;
}
