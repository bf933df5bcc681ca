import { execFile } from "node:child_process";
import { readFile, statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Contained } from "./contain.ts";

/** Maximum resources of a run, which the kernel does not enforce without a cgroup if the user is root. */
export interface UseLimits {
  /** Memory of all its processes, without what they share with others, in bytes. */
  memoryBytes: number;
  processes: number;
  disk: DiskLimit | null;
}

/** A run that uses `mostBytes` of a disk with less than `leftBytes` free is ended. */
export interface DiskLimit {
  /** The checkout and the home, on one disk. */
  folders: readonly string[];
  leftBytes: number;
  mostBytes: number;
}

const everyMs = 1000;

/**
 * Measures every second what a process tree uses, until its command ends; calls `onOver` once, with a message for a person.
 */
export async function watchUse(
  contained: Pick<Contained, "list" | "exited">,
  limits: UseLimits,
  onOver: (words: string) => void,
): Promise<void> {
  const ended = contained.exited.then(() => true);
  while (!(await Promise.race([ended, delay(everyMs, false, { ref: false })]))) {
    // It cannot be read if this process has run out of open files; the next round may succeed.
    const pids = await contained.list().catch(() => null);
    if (pids === null) continue;
    if (pids.length > limits.processes) return onOver(`it had ${pids.length} processes, more than ${limits.processes}`);
    const used = (await Promise.all(pids.map(memoryOf))).reduce((sum, bytes) => sum + bytes, 0);
    if (used > limits.memoryBytes) {
      return onOver(`it used ${megabytes(used)} MB of memory, more than ${megabytes(limits.memoryBytes)} MB`);
    }
    const full = limits.disk === null ? null : await overDisk(limits.disk);
    if (full !== null) return onOver(full);
  }
}

/** Folders are measured only if little space is left, because it takes long. */
async function overDisk({ folders, leftBytes, mostBytes }: DiskLimit): Promise<string | null> {
  const left = await bytesLeft(folders[0] ?? "/");
  if (left >= leftBytes) return null;
  // If a folder changes in the meantime, du exits with 1, after it has printed its result.
  const said = await new Promise<string>((resolve) => {
    execFile("du", ["-scxB1", "--", ...folders], (_, stdout) => resolve(stdout));
  });
  const used = Number(/^(\d+)\ttotal$/m.exec(said)?.[1] ?? 0);
  if (used < mostBytes) return null;
  return `it used ${megabytes(used)} MB of a disk that has ${megabytes(left)} MB left`;
}

/** Bytes that are free on the disk of a folder; infinite if this cannot be read. */
export async function bytesLeft(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
}

/** Memory of the process alone, in bytes; 0 when it is gone. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
