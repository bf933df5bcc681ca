import { HostError } from "./call-host.ts";

/** Whether a call failed because the host is down or asks to wait, so that it may succeed later without a change. */
export function isOutage(error: unknown): boolean {
  if (error instanceof HostError) {
    return error.waitMs !== null || error.status === 429 || (error.status !== null && error.status >= 500);
  }
  return error instanceof Error && "reason" in error && retried.has(String(error.reason));
}

/** Reasons of the HTTP client that may pass. */
const retried: ReadonlySet<string> = new Set(["unreachable", "not_found", "timeout", "broken"]);
