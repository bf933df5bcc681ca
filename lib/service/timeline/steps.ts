/** Steps of a run as columns, one place an entry in order of seq. The arrays may be longer than `count`. */
export type Steps = {
  /** The seq of place 0. */
  firstSeq: number;
  count: number;
  /** created_at, in ms since 1970: when the step ended. */
  times: Float64Array;
  /** How long its tool was at work before, in ms; 0 where it says nothing. */
  durations: Uint32Array;
  /** The codes of the letters of entry-blocks.ts. */
  kinds: Uint8Array;
  /** The number of the tool's name; 0 for none. */
  tools: Uint16Array;
  /** The places in order of time, where that is not the order of seq: clocks go backwards, and other systems report late. */
  order: Uint32Array | null;
};

/** The steps from one seq to another, both included, of those that are there. */
export function stepsBetween(steps: Steps, firstSeq: number, lastSeq: number): Steps {
  const start = Math.min(Math.max(0, firstSeq - steps.firstSeq), steps.count);
  const end = Math.max(start, Math.min(lastSeq - steps.firstSeq + 1, steps.count));
  const times = steps.times.subarray(start, end);
  return {
    firstSeq: steps.firstSeq + start,
    count: end - start,
    times,
    durations: steps.durations.subarray(start, end),
    kinds: steps.kinds.subarray(start, end),
    tools: steps.tools.subarray(start, end),
    order: orderOf(times, end - start),
  };
}

/** A stretch of time in ms, `to` not included. */
export type Span = { from: number; to: number };

/** The first `count` places in order of time, or null where they are in order as they stand. */
export function orderOf(times: Float64Array, count: number): Uint32Array | null {
  if (isInOrder(times, count)) return null;
  const places = Array.from({ length: count }, (_, place) => place);
  // A plain array: its sort is quick where most of it is in order, that of a typed array is not.
  places.sort((one, other) => at(times, one) - at(times, other) || one - other);
  return Uint32Array.from(places);
}

/** There are millions of places: the cast rests on the bounds. */
function isInOrder(times: Float64Array, count: number): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < count; place += 1) {
    const time = times[place] as number;
    if (time < before) return false;
    before = time;
  }
  return true;
}

/** A place of a typed array that is there. */
export function at(array: Float64Array | Uint32Array | Uint16Array | Uint8Array, place: number): number {
  return array[place] ?? 0;
}

/** When a step began. */
export function beginOf({ times, durations }: Steps, place: number): number {
  return at(times, place) - at(durations, place);
}
