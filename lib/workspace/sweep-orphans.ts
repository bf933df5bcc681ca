import { hostname } from "node:os";
import { type AgentRecord, listAgentRecords, removeAgentRecord } from "./agent-record.ts";
import { endProcesses } from "./end-processes.ts";
import { bootedAt, identifyProcess, type ProcessEntry } from "./process-table.ts";
import { listTree } from "./process-tree.ts";

/**
 * Ends the processes left by agents of dead engines on this machine, and deletes their records. Agents of live engines and of
 * other machines are not touched. Returns the number of processes. Call it when an engine starts. Throws WorkspaceError
 * `processes_left`.
 */
export async function sweepOrphans(options: {
  dataDir: string;
  signal?: AbortSignal;
  graceMs?: number;
}): Promise<number> {
  let count = 0;
  for (const record of await listAgentRecords(options.dataDir)) {
    options.signal?.throwIfAborted();
    if (record.host !== hostname() || (await isEngineAlive(record))) continue;
    count += await endProcesses((processes) => findLeft(processes, record), options.graceMs ?? 2000);
    await removeAgentRecord(options.dataDir, record.marker);
  }
  return count;
}

async function isEngineAlive(record: AgentRecord): Promise<boolean> {
  const identity = await identifyProcess(record.enginePid);
  return identity !== null && identity === record.engineIdentity;
}

async function findLeft(processes: readonly ProcessEntry[], record: AgentRecord): Promise<number[]> {
  return listTree(processes, record.marker, (await isLeaderOurs(processes, record)) ? record.pid : null);
}

/** Process ids are reused, but a process group keeps its id as long as it has processes. */
async function isLeaderOurs(processes: readonly ProcessEntry[], record: AgentRecord): Promise<boolean> {
  if (record.pid === null || record.identity === null || record.startedAt < bootedAt() - 1000) return false;
  const found = await identifyProcess(record.pid);
  if (found !== null) return found === record.identity;
  return processes.some((entry) => entry.groupId === record.pid && entry.pid !== record.pid);
}
