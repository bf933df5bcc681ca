/** Steps of a run as columns, one position per entry in order of seq. The arrays may be longer than `count`. */
export type Steps = {
  /** Seq of position 0. */
  firstSeq: number;
  count: number;
  /** created_at, in ms since 1970: when the step ended. */
  times: Float64Array;
  /** How long its tool had been running, in ms; 0 if unknown. */
  durations: Uint32Array;
  /** Type codes of entry-blocks.ts. */
  kinds: Uint8Array;
  /** Number of the tool's name; 0 for none. */
  tools: Uint16Array;
  /**
   * Positions in order of time, if that differs from the order of seq: clocks go backwards, and other systems report
   * late.
   */
  order: Uint32Array | null;
};

/** The steps from one seq to another, inclusive, of those that exist. */
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

/** Interval of time in ms, `to` exclusive. */
export type Span = { from: number; to: number };

/** The first `count` positions in order of time, or null if they already are. */
export function orderOf(times: Float64Array, count: number): Uint32Array | null {
  if (isInOrder(times, count)) return null;
  const places = Array.from({ length: count }, (_, place) => place);
  // A plain array sorts quickly when mostly in order; a typed array does not.
  places.sort((one, other) => at(times, one) - at(times, other) || one - other);
  return Uint32Array.from(places);
}

/** There are millions of positions: the cast rests on the bounds. */
function isInOrder(times: Float64Array, count: number): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < count; place += 1) {
    const time = times[place] as number;
    if (time < before) return false;
    before = time;
  }
  return true;
}

/** An element of a typed array that is known to exist. */
export function at(array: Float64Array | Uint32Array | Uint16Array | Uint8Array, place: number): number {
  return array[place] ?? 0;
}

/** When a step began. */
export function beginOf({ times, durations }: Steps, place: number): number {
  return at(times, place) - at(durations, place);
}
