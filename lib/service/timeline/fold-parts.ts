import type { Steps } from "./steps.ts";
import { type Stretches, use, useNames } from "./sweep.ts";

/** How many letters an entry's kind is one of. */
export const kindCodes = 128;
const uses = useNames.length;

/** What happened in the parts of a range, as columns: `part * kindCodes + kind`, `part * uses + use`, and part. */
export type FoldedParts = {
  /** Entries that ended in the part. */
  kinds: Uint32Array;
  /** Milliseconds, by use. */
  times: Float64Array;
  /** Lowest and highest place of the entries that ended in it; -1 where none did. */
  firsts: Int32Array;
  lasts: Int32Array;
};

/**
 * Folds a run into parts between `bounds` (ascending; a part holds its beginning, the last one its end too). The times of a part
 * add up to its length: what lies outside of the run is idle.
 */
export function foldParts(steps: Steps, stretches: Stretches, bounds: Float64Array): FoldedParts {
  const count = bounds.length - 1;
  const folded: FoldedParts = {
    kinds: new Uint32Array(count * kindCodes),
    times: new Float64Array(count * uses),
    firsts: new Int32Array(count).fill(-1),
    lasts: new Int32Array(count).fill(-1),
  };
  addTimes(stretches, bounds, folded.times);
  addEntries(steps, bounds, folded);
  return folded;
}

function addTimes(stretches: Stretches, bounds: Float64Array, times: Float64Array): void {
  const { run, count, froms } = stretches;
  const first = bounds[0] ?? 0;
  let part = bounds.length - 2;
  /** Everything from here on is added. It comes from the end, so parts are only ever left backwards. */
  let done = bounds.at(-1) ?? 0;
  const add = (spent: number, from: number) => {
    const begin = Math.max(from, first);
    while (done > begin) {
      while (part > 0 && (bounds[part] ?? 0) >= done) part -= 1;
      const here = Math.max(begin, bounds[part] ?? 0);
      const column = part * uses + spent;
      times[column] = (times[column] ?? 0) + done - here;
      done = here;
    }
  };
  add(use.idle, run.to);
  // What lies after the range is passed over.
  const start = lowest(count, (index) => (froms[index] ?? 0) < done);
  for (let index = start; index < count && done > first; index += 1) add(stretches.uses[index] ?? 0, froms[index] ?? 0);
  add(use.idle, Number.NEGATIVE_INFINITY);
}

function addEntries(steps: Steps, bounds: Float64Array, { kinds, firsts, lasts }: FoldedParts): void {
  const { times, order } = steps;
  let part = bounds.length - 2;
  const first = bounds[0] ?? 0;
  const end = bounds.at(-1) ?? 0;
  const placeOf = (index: number) => (order === null ? index : (order[index] ?? 0));
  const after = lowest(steps.count, (index) => (times[placeOf(index)] ?? 0) > end);
  for (let index = after - 1; index >= 0; index -= 1) {
    const place = placeOf(index);
    const time = times[place] ?? 0;
    if (time < first) break;
    while (part > 0 && (bounds[part] ?? 0) > time) part -= 1;
    const column = part * kindCodes + (steps.kinds[place] ?? 0);
    kinds[column] = (kinds[column] ?? 0) + 1;
    const known = firsts[part] ?? -1;
    if (known === -1 || place < known) firsts[part] = place;
    if (place > (lasts[part] ?? -1)) lasts[part] = place;
  }
}

/** The lowest index for which it holds, as it does for all above; `count` where there is none. */
function lowest(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
