import { readdirSync, readFileSync } from "node:fs";

/** The processes that this one has started. Linux only. */
export function processesBelow(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** False for a process that has ended, even if its parent has not asked how. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** How many processes of this machine have the marker in their command line. Linux only, as the journeys are. */
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
