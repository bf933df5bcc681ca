import { deliveryGapsS, deliveryTriedS } from "#lib/contract/webhook.ts";

/** Each gap is up to a tenth longer or shorter, so that what failed together is not tried again together. */
const jitter = 0.1;
const second = 1000;

/**
 * When to try again after the attempt number `failures` (from 1) has failed at `nowMs`; null where the time is over. A target that
 * asks for a longer gap gets it, as far as the 24 hours go. `random` gives a number from 0 to 1.
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

/** The header Retry-After, seconds or a date, as milliseconds from now on; null where it is absent or says nothing. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - nowMs, 0);
}
