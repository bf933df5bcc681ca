import type { Span } from "./steps.ts";
import { type Stretches, use } from "./sweep.ts";

/** All idle time, in order; adjacent intervals are one. */
export function idleSpans({ run, count, froms, uses }: Stretches): Span[] {
  const found: Span[] = [];
  // Few of millions are idle: search for them without reading the others' times.
  for (let index = uses.indexOf(use.idle); index !== -1 && index < count; index = uses.indexOf(use.idle, index + 1)) {
    const from = froms[index] ?? 0;
    const to = index === 0 ? run.to : (froms[index - 1] ?? 0);
    const later = found.at(-1);
    if (later?.from === to) later.from = from;
    else found.push({ from, to });
  }
  return found.reverse();
}

/**
 * The longest idle intervals in a range, clipped to it: at most `most`, none shorter than `lengthMin`, in order of
 * time.
 */
export function longestWithin(
  idle: readonly Span[],
  range: Span,
  { most, lengthMin }: { most: number; lengthMin: number },
): Span[] {
  return idle
    .map(({ from, to }) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter(({ from, to }) => to - from >= lengthMin)
    .sort((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, most)
    .sort((one, other) => one.from - other.from);
}
