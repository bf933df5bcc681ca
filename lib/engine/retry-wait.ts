/** Wait before the next attempt, in milliseconds, after `tries` failed ones: 5 s, doubling up to 10 minutes. */
export function retryWaitMs(tries: number): number {
  return Math.min(600_000, 5000 * 2 ** Math.min(tries - 1, 10));
}
