import { Worker } from "node:worker_threads";

/**
 * Checks a whole store off the event loop. Returns the problems found; empty if it is sound. Takes seconds per gigabyte. Rejects
 * if the store cannot be read, and when `signal` ends the check.
 */
export function checkInThread(file: string, signal: AbortSignal): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./check-thread.ts", import.meta.url), { workerData: { file } });
    const end = () => void thread.terminate();
    signal.addEventListener("abort", end, { once: true });
    thread.once("message", (lines: string[]) => resolve(lines));
    thread.once("error", reject);
    thread.once("exit", () => {
      signal.removeEventListener("abort", end);
      reject(new Error("The check of the store was ended."));
    });
    if (signal.aborted) end();
  });
}
