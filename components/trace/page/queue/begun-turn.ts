import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";

/** Snapshot of a queue: its turns, and the run's number of turns. */
export type SeenQueue = { items: readonly QueuedTurn[]; turns: number };

/**
 * Number of withdrawn turns, as far as a queue shows it: numbers are never reused, and `turns` leaves out withdrawn ones.
 * `numberMax` is the highest number seen before.
 */
export function withdrawnOf({ items, turns }: SeenQueue, numberMax = 0): number {
  return highestNumber(items, numberMax) - turns;
}

/** Highest turn number in the queue, or `numberMax` if that is higher. */
export function highestNumber(items: readonly QueuedTurn[], numberMax = 0): number {
  return items.reduce((highest, { number }) => Math.max(highest, number), numberMax);
}

/**
 * The turn that started between two snapshots of the queue, or null. It is the first waiting one, if it is gone although no
 * turn was withdrawn.
 */
export function begunBetween(before: SeenQueue, after: SeenQueue): QueuedTurn | null {
  const first = before.items.find(({ state }) => state === "waiting");
  if (first === undefined || withdrawnOf(after, highestNumber(before.items)) > withdrawnOf(before)) return null;
  return after.items.some(({ number }) => number === first.number) ? null : first;
}
