import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry, signalAll } from "./process-table.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Selects the processes to end. Called in every round, because they may start others in the meantime. */
export type FindProcesses = (processes: ProcessEntry[]) => Promise<number[]>;

const killRounds = 250;
const pollMs = 20;
/** A scan of all processes is expensive, so the pauses of a grace period grow to this. */
const pollMsMax = 160;

/**
 * Ends all processes that `find` selects: SIGTERM once, a grace period of `graceMs`, then SIGKILL repeatedly until none is found.
 * Returns how many there were at first. Throws WorkspaceError `processes_left` after five seconds of SIGKILL: processes in
 * uninterruptible sleep.
 */
export async function endProcesses(find: FindProcesses, graceMs: number): Promise<number> {
  const first = await find(await listProcesses());
  if (first.length === 0) return 0;
  signalAll(first, "SIGTERM");
  const deadline = Date.now() + graceMs;
  let left = first;
  for (let pauseMs = pollMs; left.length > 0 && Date.now() < deadline; pauseMs = Math.min(2 * pauseMs, pollMsMax)) {
    await delay(Math.min(pauseMs, Math.max(0, deadline - Date.now())));
    left = await find(await listProcesses());
  }
  for (let round = 0; left.length > 0; round += 1) {
    if (round === killRounds) {
      throw new WorkspaceError("processes_left", `These processes cannot be ended: ${left.join(", ")}.`);
    }
    signalAll(left, "SIGKILL");
    await delay(pollMs);
    left = await find(await listProcesses());
  }
  return first.length;
}
