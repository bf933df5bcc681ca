import { at, beginOf, type Span, type Steps } from "./steps.ts";

/** Positions of the entries that overlap a range, in order of seq; null if there are more than `most`. */
export function placesIn(steps: Steps, range: Span, most: number): number[] | null {
  const places: number[] = [];
  for (let place = 0; place < steps.count; place += 1) {
    const end = at(steps.times, place);
    if (end < range.from || end - at(steps.durations, place) > range.to) continue;
    if (places.length === most) return null;
    places.push(place);
  }
  return places;
}

/**
 * Lanes for steps with a duration, from 0, by position: two on the same lane do not overlap, and each has the lowest
 * free lane when it begins.
 */
export function lanesOf(steps: Steps, places: readonly number[]): Map<number, number> {
  const lanes = new Map<number, number>();
  const freeFrom: number[] = [];
  const byBegin = places.toSorted((one, other) => beginOf(steps, one) - beginOf(steps, other) || one - other);
  for (const place of byBegin) {
    const begin = beginOf(steps, place);
    const free = freeFrom.findIndex((end) => end <= begin);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = at(steps.times, place);
    lanes.set(place, lane);
  }
  return lanes;
}
