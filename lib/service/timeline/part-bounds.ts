import type { Span } from "./steps.ts";

/**
 * Where the parts of a range begin, and its end: whole milliseconds, each later than the one before. Parts are equally long but
 * for a millisecond, time inside of `gaps` (in order, in the range, apart from each other) not counted.
 */
export function partBounds(range: Span, buckets: number, gaps: readonly Span[]): Float64Array {
  const skipped = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const length = range.to - range.from - skipped;
  const count = Math.max(1, Math.min(buckets, length));
  const bounds = new Float64Array(count + 1);
  let next = 0;
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    const told = Math.floor((index * length) / count);
    // A bound that meets a gap stands before it: the gap begins the part.
    for (let gap = gaps[next]; gap !== undefined && range.from + before + told > gap.from; gap = gaps[next]) {
      before += gap.to - gap.from;
      next += 1;
    }
    bounds[index] = range.from + before + told;
  }
  bounds[count] = range.to;
  return bounds;
}
