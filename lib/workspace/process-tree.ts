import { listDescendants, listMarked, type ProcessEntry } from "./process-table.ts";

/** Environment variable of all processes of one tree, inherited even across sessions and by orphans. */
export const markerVariable = "ERRAND_PROCESS_MARKER";

/** All processes of a tree: its process group, the descendants of its first process, and all with its marker. */
export async function listTree(
  processes: readonly ProcessEntry[],
  marker: string,
  leaderPid: number | null,
): Promise<number[]> {
  const group = processes.filter((entry) => entry.groupId === leaderPid).map((entry) => entry.pid);
  const found = new Set([...group, ...(await listMarked(processes, `${markerVariable}=${marker}`))]);
  if (leaderPid !== null) found.add(leaderPid);
  for (const pid of [...found]) for (const below of listDescendants(processes, pid)) found.add(below);
  const alive = new Set(processes.map((entry) => entry.pid));
  return [...found].filter((pid) => alive.has(pid) && pid !== process.pid);
}
