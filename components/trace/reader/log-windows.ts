import type { ReadingPlace } from "./place.ts";

/** Entries of one window: two of them fill a view and what surrounds it. */
export const windowSize = 25;
/** Strings inside entries are cut at so many characters until somebody asks for all of them. */
export const clipCharacters = 20_000;
/** So many entries beyond what is rendered are loaded too. */
const marginEntries = 10;

/** The windows, by how many entries they skip, that hold the items first..last (from 0, included) and a few around them. */
export function windowsAround(first: number, last: number, count: number): number[] {
  return windowsOver(first - marginEntries, last + marginEntries, count);
}

/** The windows that hold the items first..last, as far as there are such items. */
export function windowsOver(first: number, last: number, count: number): number[] {
  if (count <= 0 || last < first) return [];
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count - 1, last);
  const start = windowStart(from);
  return Array.from({ length: Math.floor((to - start) / windowSize) + 1 }, (_, place) => start + place * windowSize);
}

/** How many entries the window of an item skips. */
export function windowStart(index: number): number {
  return Math.floor(index / windowSize) * windowSize;
}

/** Someone who opens a live run wants to see what happens; of one that has ended, what was asked and how it went from there. */
export function openingOf(entry: number | null, isLive: boolean, totalLogs: number): ReadingPlace {
  if (entry !== null && entry <= totalLogs) return entry;
  return isLive || entry !== null ? "end" : "start";
}

/** Entries of a first screen: what is loaded before anything has been measured, and how many of them above the place gone to. */
const firstScreenEntries = 20;
const aboveEntries = 5;

/** The windows that the first screen needs. */
export function firstWindows(opening: ReadingPlace, totalLogs: number): number[] {
  return windowsOf(typeof opening === "number" ? opening - 1 : opening, totalLogs);
}

/** The windows that a list needs to open at one of its ends, or at a place from 0. */
export function windowsOf(start: "start" | "end" | number, count: number): number[] {
  const first = start === "start" ? 0 : start === "end" ? count - firstScreenEntries : start - aboveEntries;
  return windowsOver(first, first + firstScreenEntries - 1, count);
}

/** Reads `?entry=`: a whole number from 1 on, else null. */
export function parseEntry(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
