import type { QueuedTurn } from "#lib/contract/run-queue.ts";

/** What was seen of a queue: its turns, and how many turns the run had. */
export type SeenQueue = { items: readonly QueuedTurn[]; turns: number };

/**
 * How many turns of the run were withdrawn, as far as a queue shows it: numbers are never given twice, and `turns` leaves out what
 * was withdrawn. `numberMax` is the highest number seen before.
 */
export function withdrawnOf({ items, turns }: SeenQueue, numberMax = 0): number {
  return highestNumber(items, numberMax) - turns;
}

/** The highest number of a turn in the queue, or `numberMax` where that is higher. */
export function highestNumber(items: readonly QueuedTurn[], numberMax = 0): number {
  return items.reduce((highest, { number }) => Math.max(highest, number), numberMax);
}

/**
 * The turn that began between two looks at the queue, or null. It is the first one that waited, where it is gone although no
 * turn was withdrawn.
 */
export function begunBetween(before: SeenQueue, after: SeenQueue): QueuedTurn | null {
  const first = before.items.find(({ state }) => state === "waiting");
  if (first === undefined || withdrawnOf(after, highestNumber(before.items)) > withdrawnOf(before)) return null;
  return after.items.some(({ number }) => number === first.number) ? null : first;
}
