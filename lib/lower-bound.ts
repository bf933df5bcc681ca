/**
 * Lowest index from `from`, below `to`, whose number is at least `wanted`; `to` if there is none. The numbers are in order.
 * Called for every position a search finds, so it takes no function.
 */
export function lowerBound(sorted: ArrayLike<number>, wanted: number, from = 0, to = sorted.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) >= wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lowest index below `count` for which the condition holds, as it does for all above; `count` if there is none. */
export function lowestIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
