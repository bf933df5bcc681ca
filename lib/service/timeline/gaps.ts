import type { Span } from "./steps.ts";
import { type Stretches, use } from "./sweep.ts";

/** The longest idle stretches in a range, at most so many and none shorter than `lengthMin`, in order of time. */
export function longestGaps(
  { run, count, froms, uses }: Stretches,
  range: Span,
  { most, lengthMin }: { most: number; lengthMin: number },
): Span[] {
  const found: Span[] = [];
  let end = run.to;
  for (let index = 0; index < count; index += 1) {
    const begin = froms[index] ?? 0;
    if (uses[index] === use.idle) addWithin(found, range, begin, end);
    end = begin;
  }
  return found
    .filter(({ from, to }) => to - from >= lengthMin)
    .sort((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, most)
    .sort((one, other) => one.from - other.from);
}

/** They come from the end to the beginning; those that touch are one. */
function addWithin(found: Span[], range: Span, begin: number, end: number): void {
  const from = Math.max(begin, range.from);
  const to = Math.min(end, range.to);
  if (from >= to) return;
  const later = found.at(-1);
  if (later?.from === to) later.from = from;
  else found.push({ from, to });
}
