const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Delay before attempt number `attempt` (from 0): doubling from half a second to 15 s, minus a random half, so that many pages
 * do not return to a restarted server at the same moment. `random` returns [0, 1).
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (0.5 + random() / 2));
}
