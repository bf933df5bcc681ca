import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { identifyProcess } from "./process-table.ts";

/** A record on disk of a running agent, which survives the death of its engine: `<dataDir>/agents/<marker>.json`. */
export interface AgentRecord {
  /** Value of the environment variable that its processes carry. */
  marker: string;
  /** Leader of its process group; null before it was started. */
  pid: number | null;
  /** See identifyProcess; null before it was started. */
  identity: string | null;
  enginePid: number;
  engineIdentity: string | null;
  host: string;
  /** ms since 1970. */
  startedAt: number;
}

/** Writes the record atomically. Must happen before the agent starts. */
export async function writeAgentRecord(dataDir: string, record: AgentRecord): Promise<void> {
  const path = recordPath(dataDir, record.marker);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(record)}\n`);
  await rename(`${path}.new`, path);
}

/** A record of an agent that this engine is about to start. */
export async function newAgentRecord(marker: string): Promise<AgentRecord> {
  return {
    marker,
    pid: null,
    identity: null,
    enginePid: process.pid,
    engineIdentity: await identifyProcess(process.pid),
    host: hostname(),
    startedAt: Date.now(),
  };
}

/** Deletes the record of an agent without processes. */
export async function removeAgentRecord(dataDir: string, marker: string): Promise<void> {
  await rm(recordPath(dataDir, marker), { force: true });
}

/** All records; other files are skipped. */
export async function listAgentRecords(dataDir: string): Promise<AgentRecord[]> {
  const folder = resolve(dataDir, "agents");
  const names = await readdir(folder).catch(() => []);
  const records: AgentRecord[] = [];
  for (const name of names.filter((name) => name.endsWith(".json"))) {
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    const record = parseAgentRecord(text);
    if (record !== null) records.push(record);
  }
  return records;
}

function recordPath(dataDir: string, marker: string): string {
  return resolve(dataDir, "agents", `${marker}.json`);
}

function parseAgentRecord(text: string): AgentRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [marker, host, enginePid, startedAt] = ["marker", "host", "enginePid", "startedAt"].map((name) =>
    fields.get(name),
  );
  const [pid, identity, engineIdentity] = ["pid", "identity", "engineIdentity"].map((name) => fields.get(name));
  if (typeof marker !== "string" || !/^[\w-]+$/.test(marker) || typeof host !== "string") return null;
  if (typeof enginePid !== "number" || typeof startedAt !== "number") return null;
  return {
    marker,
    host,
    enginePid,
    startedAt,
    pid: typeof pid === "number" ? pid : null,
    identity: typeof identity === "string" ? identity : null,
    engineIdentity: typeof engineIdentity === "string" ? engineIdentity : null,
  };
}
