import { askThread } from "#lib/worker-pool.ts";

/**
 * Checks a whole store off the event loop. Returns the problems found; empty if it is sound. Takes seconds per gigabyte. Throws if
 * the store cannot be read, and the signal's reason.
 */
export function checkInThread(file: string, signal: AbortSignal): Promise<string[]> {
  const program = new URL("./check-thread.ts", import.meta.url);
  return askThread({ program, name: "The check of the store" }, file, signal);
}
