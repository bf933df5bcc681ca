import { HostError } from "#lib/host/call-host.ts";

/**
 * Wait before the next try, in milliseconds, after `tries` failed ones, the last with this error: 5 s, doubling up to 10 minutes,
 * and at least as long as the host asks for.
 */
export function retryWaitMs(tries: number, error: unknown): number {
  const hostMs = error instanceof HostError ? (error.waitMs ?? 0) : 0;
  return Math.max(hostMs, Math.min(600_000, 5000 * 2 ** Math.min(tries - 1, 10)));
}
