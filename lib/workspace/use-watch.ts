import { execFile } from "node:child_process";
import { readFile, statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Contained } from "./contain.ts";

/** What a run may use at most; the kernel holds it to neither where there is no cgroup and the user is root. */
export interface UseLimits {
  /** Memory of all its processes, without what they share with others, in bytes. */
  memoryBytes: number;
  processes: number;
  disk: DiskLimit | null;
}

/** A run is ended that uses `mostBytes` of a disk on which less than `leftBytes` are left. */
export interface DiskLimit {
  /** Of one disk: the checkout and the home. */
  folders: readonly string[];
  leftBytes: number;
  mostBytes: number;
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
    const full = limits.disk === null ? null : await overDisk(limits.disk);
    if (full !== null) return onOver(full);
  }
}

/** Folders are measured only where little is left, for it takes long. */
async function overDisk({ folders, leftBytes, mostBytes }: DiskLimit): Promise<string | null> {
  const disk = await statfs(folders[0] ?? "/").catch(() => null);
  const left = disk === null ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
  if (left >= leftBytes) return null;
  // A folder that changes while it is measured makes du end with 1, after it has said what it found.
  const said = await new Promise<string>((resolve) => {
    execFile("du", ["-scxB1", "--", ...folders], (_, stdout) => resolve(stdout));
  });
  const used = Number(/^(\d+)\ttotal$/m.exec(said)?.[1] ?? 0);
  if (used < mostBytes) return null;
  return `it used ${megabytes(used)} MB of a disk that has ${megabytes(left)} MB left`;
}

/** Bytes that the process alone holds; 0 when it is gone. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
