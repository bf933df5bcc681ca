import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** How long processes have between SIGTERM and SIGKILL. */
export const terminateMs = 2000;
const pollMs = 20;

/** A group with a watcher, which ends it if this process dies or releases it. */
export type WatchedGroup = { id: number; release: () => void };

/** What the steps of a turn left running in the background: it ends with the turn. */
export class LeftProcesses {
  readonly #groups = new Set<WatchedGroup>();

  add(group: WatchedGroup): void {
    this.#groups.add(group);
  }

  /** Ends all of them: SIGTERM, SIGKILL after 2 s; at once if the turn is cancelled. */
  async end(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + terminateMs;
    for (const { id } of this.#groups) if (!signal.aborted) signalGroup(id, "SIGTERM");
    while ([...this.#groups].some(({ id }) => hasCompany(id)) && !signal.aborted && performance.now() < deadline) {
      await delay(pollMs);
    }
    for (const { id, release } of this.#groups) {
      signalGroup(id, "SIGKILL");
      release();
    }
    this.#groups.clear();
  }
}

/** Whether a watched group has processes besides its watcher. Unknown without /proc, which counts as not. */
export function hasCompany(group: number): boolean {
  let found = 0;
  for (const name of listProc()) {
    if (!/^\d+$/.test(name)) continue;
    const [state, , groupId] = readStat(name);
    if (Number(groupId) === group && state !== "Z" && state !== "X") found += 1;
    if (found > 1) return true;
  }
  return false;
}

/** Sends a signal to all processes of a group that are left. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // ESRCH: the group has ended by itself. EPERM: what is left of it runs as another user and is not ours to end.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}

function listProc(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

/** Fields of a process from its state on; empty if it is gone. */
function readStat(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
