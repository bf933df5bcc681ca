const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long a delivery is tried, from its first attempt on. */
export const deliveryTriedMs = 24 * hour;

/** Gaps between attempts, as Standard Webhooks has them; the last attempt is 24 hours after the first. */
export const deliveryGapsMs: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];

/** Each gap is up to a tenth longer or shorter, so that what failed together is not tried again together. */
const jitter = 0.1;

/**
 * When to try again after the attempt number `failures` (from 1) has failed at `nowMs`; null where the time is over. A target that
 * asks for a longer gap gets it, as far as the 24 hours go. `random` gives a number from 0 to 1.
 */
export function nextAttemptAt(
  { firstMs, failures, retryAfterMs }: { firstMs: number; failures: number; retryAfterMs: number | null },
  nowMs: number,
  random: () => number,
): number | null {
  const lastMs = firstMs + deliveryTriedMs;
  if (nowMs >= lastMs) return null;
  const gap = deliveryGapsMs[failures - 1] ?? deliveryTriedMs;
  const spread = Math.round(gap * (1 + jitter * (2 * random() - 1)));
  return Math.min(nowMs + Math.max(spread, retryAfterMs ?? 0), lastMs);
}

/** The header Retry-After, seconds or a date, as milliseconds from now on; null where it is absent or says nothing. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - nowMs, 0);
}
