import { findMatches } from "./find-text.ts";

/** A match in a text made of parts: from an offset in one part to an offset in the same or a later one. */
export type TextSpan = { fromPart: number; fromOffset: number; toPart: number; toOffset: number };

/** Matches in a text whose parts are in several nodes of the page; at most `max`. */
export function spansIn(parts: readonly string[], needle: string, max: number): TextSpan[] {
  const matches = findMatches(parts.join(""), needle, max);
  let part = 0;
  let start = 0;
  return matches.map(({ from, to }) => {
    while (from >= start + (parts[part]?.length ?? Number.POSITIVE_INFINITY)) {
      start += parts[part]?.length ?? 0;
      part += 1;
    }
    let toPart = part;
    let toStart = start;
    while (to > toStart + (parts[toPart]?.length ?? Number.POSITIVE_INFINITY)) {
      toStart += parts[toPart]?.length ?? 0;
      toPart += 1;
    }
    return { fromPart: part, fromOffset: from - start, toPart, toOffset: to - toStart };
  });
}
