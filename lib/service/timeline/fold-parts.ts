import { lowestIndex } from "#lib/lower-bound.ts";
import type { Steps } from "./steps.ts";
import { type Stretches, use, useNames } from "./sweep.ts";

/** Number of type codes of an entry. */
export const kindCodes = 128;
const uses = useNames.length;

/** Activity in the parts of a range, as columns: `part * kindCodes + kind`, `part * uses + use`, and part. */
export type FoldedParts = {
  /** Entries that ended in the part. */
  kinds: Uint32Array;
  /** Milliseconds, by use. */
  times: Float64Array;
  /** Entries that ended in the part with a duration above 0 ms. */
  timedCalls: Uint32Array;
  /** Lowest and highest position of the entries that ended in it; -1 if none did. */
  firsts: Int32Array;
  lasts: Int32Array;
};

/**
 * Folds a run into parts between `bounds` (ascending; a part includes its beginning, the last one its end too). The
 * times of a part add up to its length: time outside the run is idle.
 */
export function foldParts(steps: Steps, stretches: Stretches, bounds: Float64Array): FoldedParts {
  const count = bounds.length - 1;
  const folded: FoldedParts = {
    kinds: new Uint32Array(count * kindCodes),
    times: new Float64Array(count * uses),
    timedCalls: new Uint32Array(count),
    firsts: new Int32Array(count).fill(-1),
    lasts: new Int32Array(count).fill(-1),
  };
  addTimes(stretches, bounds, folded.times);
  addEntries(steps, bounds, folded);
  return folded;
}

/** Steps or intervals folded in one go: leaving the loop now and then lets it come back compiled. */
const foldedAtOnce = 8192;

function addTimes(stretches: Stretches, bounds: Float64Array, times: Float64Array): void {
  const { run, count, froms, uses: spent } = stretches;
  const first = bounds[0] ?? 0;
  const end = bounds.at(-1) ?? 0;
  const place = { part: bounds.length - 2, done: end };
  const ends = new Float64Array([run.to, Number.NEGATIVE_INFINITY]);
  const idle = Uint8Array.of(use.idle);
  addStretches(ends, idle, { from: 0, to: 1 }, bounds, times, place);
  // Skip everything after the range.
  const start = lowestIndex(count, (index) => (froms[index] ?? 0) < place.done);
  for (let from = start; from < count && place.done > first; from += foldedAtOnce) {
    addStretches(froms, spent, { from, to: Math.min(count, from + foldedAtOnce) }, bounds, times, place);
  }
  addStretches(ends.subarray(1), idle, { from: 0, to: 1 }, bounds, times, place);
}

/**
 * Adds intervals to the parts; everything from `done` on is added. They arrive from the end, so parts are only left
 * backwards.
 */
function addStretches(
  froms: Float64Array,
  spent: Uint8Array,
  { from, to }: { from: number; to: number },
  bounds: Float64Array,
  times: Float64Array,
  place: { part: number; done: number },
): void {
  const first = bounds[0] ?? 0;
  let { part, done } = place;
  // The casts rest on the bounds.
  for (let index = from; index < to; index += 1) {
    const stretch = froms[index] as number;
    const begin = stretch > first ? stretch : first;
    while (done > begin) {
      while (part > 0 && (bounds[part] as number) >= done) part -= 1;
      const bound = bounds[part] as number;
      const here = begin > bound ? begin : bound;
      const column = part * uses + (spent[index] as number);
      times[column] = (times[column] as number) + done - here;
      done = here;
    }
  }
  place.part = part;
  place.done = done;
}

function addEntries(steps: Steps, bounds: Float64Array, folded: FoldedParts): void {
  const { times, order, count } = steps;
  const end = bounds.at(-1) ?? 0;
  const after = lowestIndex(count, (index) => (times[order === null ? index : (order[index] ?? 0)] ?? 0) > end);
  let part = bounds.length - 2;
  for (let to = after; to > 0 && part >= 0; to -= foldedAtOnce) {
    part = addSome(steps, { from: Math.max(0, to - foldedAtOnce), to }, bounds, part, folded);
  }
}

/**
 * Adds entries to their parts, last one first. Returns the part reached; -1 if all earlier ones are before the range.
 */
function addSome(
  { times, durations, order, kinds: codes }: Steps,
  { from, to }: { from: number; to: number },
  bounds: Float64Array,
  reached: number,
  { kinds, timedCalls, firsts, lasts }: FoldedParts,
): number {
  const first = bounds[0] ?? 0;
  let part = reached;
  // The casts rest on the bounds.
  for (let index = to - 1; index >= from; index -= 1) {
    const place = order === null ? index : (order[index] as number);
    const time = times[place] as number;
    if (time < first) return -1;
    while (part > 0 && (bounds[part] as number) > time) part -= 1;
    const column = part * kindCodes + (codes[place] as number);
    kinds[column] = (kinds[column] as number) + 1;
    if ((durations[place] as number) > 0) timedCalls[part] = (timedCalls[part] as number) + 1;
    const known = firsts[part] as number;
    if (known === -1 || place < known) firsts[part] = place;
    if (place > (lasts[part] as number)) lasts[part] = place;
  }
  return part;
}
