/**
 * 53 bits of a text, as a number that is safe to compare. Texts that differ have the same one in about one of 10^9 runs of a
 * million calls: what it is used for are repeats, where that would be one wrong line.
 */
export function hashOf(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}

/** Of a longer output its beginning and its end are compared, in UTF-16 units each. */
const comparedEnd = 512;

/** The hash of an output without what differs from run to run: times, durations, long ids. */
export function outputHashOf(output: string): number {
  if (output.length <= 2 * comparedEnd) return hashOf(withoutTimes(output));
  return hashOf(`${withoutTimes(output.slice(0, comparedEnd))} ${withoutTimes(output.slice(-comparedEnd))}`);
}

/** Words that begin with a digit and are more than a number: durations, times, dates, ids. A number alone may be what a call asks for. */
const timeLike =
  /\b\d(?:\d{5,}|[\da-f]*[a-f][\da-f]{5,}|\d*(?:[.,:-]\d+)+(?:\s?(?:ms|µs|ns|s|min|sec|seconds)\b|Z)?|\d*\s?(?:ms|µs|ns|s|secs?|seconds?|mins?|minutes?)\b)/g;

function withoutTimes(text: string): string {
  return text.replace(timeLike, "~");
}
