import type { Span } from "./steps.ts";

/**
 * Beginnings of the parts of a range, and its end: whole milliseconds, each later than the one before. Parts are
 * equally long to within a millisecond, not counting time inside `gaps` (in order, within the range, disjoint).
 */
export function partBounds(range: Span, buckets: number, gaps: readonly Span[]): Float64Array {
  const skipped = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const length = range.to - range.from - skipped;
  const count = Math.max(1, Math.min(buckets, length));
  const bounds = new Float64Array(count + 1);
  let next = 0;
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    const even = Math.floor((index * length) / count);
    // A bound that meets a gap is placed before it: the gap begins the part.
    for (let gap = gaps[next]; gap !== undefined && range.from + before + even > gap.from; gap = gaps[next]) {
      before += gap.to - gap.from;
      next += 1;
    }
    bounds[index] = range.from + before + even;
  }
  bounds[count] = range.to;
  return bounds;
}
