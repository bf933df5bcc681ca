import { readdirSync, readFileSync } from "node:fs";

/** All descendants of this process. Linux only. */
export function processesBelow(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** False for a process that has ended, even if its parent has not waited for it. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Number of processes on this machine with the marker in their command line. Linux only, as the journeys are. */
export function processesWith(marker: string): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]?.includes(marker) ?? false;
      } catch {
        return false;
      }
    }).length;
}
