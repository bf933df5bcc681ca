import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
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

const Record: z.ZodType<AgentRecord> = z.object({
  marker: z.string().regex(/^[\w-]+$/),
  pid: z.number().nullable().catch(null),
  identity: z.string().nullable().catch(null),
  enginePid: z.number(),
  engineIdentity: z.string().nullable().catch(null),
  host: z.string(),
  startedAt: z.number(),
});

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
  try {
    return Record.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
