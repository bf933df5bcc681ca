import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Contained } from "./contain.ts";
import { signalAll } from "./process-table.ts";

/** Rounds until all are stopped; a process in uninterruptible sleep stops when it wakes. */
const roundsMax = 100;
const pollMs = 20;
/**
 * Every this many rounds, all processes are continued for a moment: the parent of a vfork cannot be stopped before its child has
 * started its program, which a stopped child never does.
 */
const triesOfRounds = 5;

/**
 * Stops all processes of a tree (SIGSTOP) until {@link thaw}: none runs, starts another or writes a byte. Only a PID namespace
 * makes sure that all are stopped. False if they cannot be, or if some do not stop within two seconds; all then go on.
 */
export async function freeze(tree: Pick<Contained, "list" | "mechanism">): Promise<boolean> {
  if (tree.mechanism !== "bubblewrap") return false;
  let stopped = new Set<number>();
  for (let round = 0; round < roundsMax; round += 1) {
    const pids = await tree.list();
    if (pids.length === 0) return false;
    // All of them were stopped before this round, so none can have been started during it.
    if (pids.every((pid) => stopped.has(pid))) return true;
    if (round % triesOfRounds === triesOfRounds - 1) {
      signalAll(pids, "SIGCONT");
      await delay(1);
    }
    signalAll(pids, "SIGSTOP");
    await delay(round === 0 ? 1 : pollMs);
    const areStopped = await Promise.all(pids.map(isStopped));
    stopped = new Set(areStopped.every(Boolean) ? pids : []);
  }
  await thaw(tree);
  return false;
}

/** Lets a frozen tree go on. */
export async function thaw(tree: Pick<Contained, "list">): Promise<void> {
  signalAll(await tree.list(), "SIGCONT");
}

/** True for a process that is stopped or gone. */
async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  const state = stat?.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return state === undefined || "TtZX".includes(state);
}
