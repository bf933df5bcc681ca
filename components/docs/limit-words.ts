import { formatDuration } from "#components/shell/format-time.ts";
import type { RateClass } from "#lib/contract/operation.ts";

/** One sliding window: at most `quota` requests in any `seconds`. */
export type Limit = { name: string; quota: number; seconds: number };
/** Limits that a token's request of a class must meet, all of them; none if they are off. */
export type ClassLimits = { class: string; limits: Limit[] };

/** A duration in words, without zero parts: `4h`, `1m 30s`. */
export function timeWords(seconds: number): string {
  return formatDuration(seconds * 1000).replace(/ 00[smh]$/, "");
}

/** A limit in words: `60 in 30 s`. */
export function windowWords({ quota, seconds }: Limit): string {
  return `${quota.toLocaleString("en")} in ${seconds} s`;
}

/** Limits of a class in words, its own first. Null if unlimited. */
export function limitWords(rateClass: RateClass, classes: ClassLimits[]): string | null {
  const limits = classes.find((described) => described.class === rateClass)?.limits ?? [];
  const own = limits.filter(({ name }) => name === rateClass);
  const shared = limits.filter(({ name }) => name !== rateClass);
  const words = [...own.map(windowWords), ...shared.map((limit) => `${windowWords(limit)} over all requests`)];
  return words.length === 0 ? null : words.join(", and ");
}
