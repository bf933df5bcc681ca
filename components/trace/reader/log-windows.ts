import type { ReadingPlace } from "./place.ts";

/** Entries per window: two windows fill a view and its surroundings. */
export const windowSize = 25;
/** Strings inside entries are cut at this many characters until the reader asks for the rest. */
export const clipCharacters = 20_000;
/** Number of entries loaded beyond the rendered ones. */
const marginEntries = 10;

/** The windows of the items first..last (from 0, inclusive) and of a few around them, each by the number of entries it skips. */
export function windowsAround(first: number, last: number, count: number): number[] {
  return windowsOver(first - marginEntries, last + marginEntries, count);
}

/** The windows of the items first..last, as far as these exist. */
export function windowsOver(first: number, last: number, count: number): number[] {
  if (count <= 0 || last < first) return [];
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count - 1, last);
  const start = windowStart(from);
  return Array.from({ length: Math.floor((to - start) / windowSize) + 1 }, (_, place) => start + place * windowSize);
}

/** The window of an item, by the number of entries it skips. */
export function windowStart(index: number): number {
  return Math.floor(index / windowSize) * windowSize;
}

/** The requested entry, or the end if it does not exist. By default, a live run opens at its end, an ended one at its beginning. */
export function openingOf(entry: number | null, isLive: boolean, totalLogs: number): ReadingPlace {
  if (entry !== null && entry <= totalLogs) return entry;
  return isLive || entry !== null ? "end" : "start";
}

/** Entries of a first screen, loaded before anything is measured, and the number of them above the target. */
const firstScreenEntries = 20;
const aboveEntries = 5;

/** The windows that the first screen needs. */
export function firstWindows(opening: ReadingPlace, totalLogs: number): number[] {
  return windowsOf(typeof opening === "number" ? opening - 1 : opening, totalLogs);
}

/** The windows that a list needs to open at one of its ends or at an item. */
export function windowsOf(start: "start" | "end" | number, count: number): number[] {
  const first = start === "start" ? 0 : start === "end" ? count - firstScreenEntries : start - aboveEntries;
  return windowsOver(first, first + firstScreenEntries - 1, count);
}
