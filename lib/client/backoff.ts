const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * How long to wait before trying for the `attempt`th time (from 0): doubling from half a second to 15 s, of which a random
 * half is taken off, so that many pages do not return to a restarted server in one moment. `random` gives [0, 1).
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (0.5 + random() / 2));
}
