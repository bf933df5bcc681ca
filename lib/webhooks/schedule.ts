import { deliveryGapsS, deliveryTriedS } from "#lib/contract/integrations/webhook.ts";

/** Each gap varies by up to 10%, so that simultaneous failures are not retried together. */
const jitter = 0.1;
const second = 1000;

/**
 * When to retry after attempt number `failures` (from 1) failed at `nowMs`; null if the retry period is over. A target may ask for
 * a longer gap, within that period. `random` returns a number from 0 to 1.
 */
export function nextAttemptAt(
  { firstMs, failures, retryAfterMs }: { firstMs: number; failures: number; retryAfterMs: number | null },
  nowMs: number,
  random: () => number,
): number | null {
  const lastMs = firstMs + deliveryTriedS * second;
  if (nowMs >= lastMs) return null;
  const gap = (deliveryGapsS[failures - 1] ?? deliveryTriedS) * second;
  const spread = Math.round(gap * (1 + jitter * (2 * random() - 1)));
  return Math.min(nowMs + Math.max(spread, retryAfterMs ?? 0), lastMs);
}

/** Retry-After, seconds or a date, as milliseconds from now; null if absent or invalid. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - nowMs, 0);
}
