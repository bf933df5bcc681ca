import type { OutlineBucket } from "#lib/contract/logs/outline.ts";

/** Minimum length of a pause, in milliseconds. */
const PAUSE_MS_MIN = 60_000;
/** A pause takes at least this share of the whole time … */
const PAUSE_SHARE_MIN = 0.05;
/** … and this many times the median duration of a part. */
const PAUSE_TIMES_MEDIAN = 8;

/** Remarkably long pauses: each position as the number of entries before it. A pause inside a part is placed in its middle. */
export function timeGapsOf(buckets: readonly OutlineBucket[]): number[] {
  const stretches = buckets.flatMap((bucket, index) => {
    const within = { after: (bucket.from_seq - 1 + bucket.to_seq) / 2, ms: span(bucket.first_at, bucket.last_at) };
    const next = buckets[index + 1];
    const between = next && { after: bucket.to_seq, ms: span(bucket.last_at, next.first_at) };
    return between === undefined ? [within] : [within, between];
  });
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return [];
  const sorted = stretches.map(({ ms }) => ms).sort((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const least = Math.max(
    PAUSE_MS_MIN,
    span(first.first_at, last.last_at) * PAUSE_SHARE_MIN,
    median * PAUSE_TIMES_MEDIAN,
  );
  return stretches.filter(({ ms }) => ms >= least).map(({ after }) => after);
}

function span(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}
