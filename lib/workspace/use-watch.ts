import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Contained } from "./contain.ts";

/** What a run may use at most; the kernel holds it to neither where there is no cgroup and the user is root. */
export interface UseLimits {
  /** Memory of all its processes, without what they share with others, in bytes. */
  memoryBytes: number;
  processes: number;
}

const everyMs = 2000;

/** Looks every two seconds what a process tree uses, until its command ends; calls `onOver` once, with words for a person. */
export async function watchUse(
  contained: Pick<Contained, "list" | "exited">,
  limits: UseLimits,
  onOver: (words: string) => void,
): Promise<void> {
  const ended = contained.exited.then(() => true);
  while (!(await Promise.race([ended, delay(everyMs, false, { ref: false })]))) {
    const pids = await contained.list();
    if (pids.length > limits.processes) return onOver(`it had ${pids.length} processes, more than ${limits.processes}`);
    const used = (await Promise.all(pids.map(memoryOf))).reduce((sum, bytes) => sum + bytes, 0);
    if (used > limits.memoryBytes) {
      return onOver(`it used ${megabytes(used)} MB of memory, more than ${megabytes(limits.memoryBytes)} MB`);
    }
  }
}

/** Bytes that the process alone holds; 0 when it is gone. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
