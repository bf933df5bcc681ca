import { hash } from "node:crypto";
import { notFound } from "#lib/contract/error.ts";
import type { LogsQuery } from "#lib/contract/run-operations.ts";
import type { RunRow } from "#lib/store/store.ts";
import { follow } from "#lib/tail/follow.ts";
import { clipEntry } from "./clip-entry.ts";
import { pageCacheOf } from "./page-cache.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { EventStream, StoredJson, type StreamEvent } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRun = { params: { agent_run_id: number } };
const batchBytesMax = 4 * 1024 * 1024;

/**
 * A run with one page of its entries (§4.4): at most `limit` after `skip`, `total_logs` counts all, past the end the page is
 * empty. The stored bodies go out as they are.
 */
export async function getLogs(
  context: OrganizationContext,
  { params, query }: OfRun & { query: LogsQuery },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const { skip, limit } = query;
  const shown = JSON.stringify(presentRun(run, viewOf(context)));
  const before = Buffer.from(`${shown.slice(0, -1)},"logs":[`);
  const page = Math.floor(skip / limit) + 1;
  const after = Buffer.from(`],"page":${page},"size":${limit},"pages":${Math.ceil(run.totalLogs / limit)}}`);
  // Entries never change, so the run (total_logs is in it) and the question asked decide the whole answer.
  const question = `${skip} ${limit} ${query.reverse} ${query.clip}`;
  return new StoredJson(hash("sha1", `${question} ${shown}`, "base64url"), async () => [
    before,
    await readEntries(context, run, query),
    after,
  ]);
}

/** One whole entry. */
export async function getLogEntry(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number; seq: number } },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const entry = await context.store.entries.find(context.access, run.id, params.seq);
  if (entry === null) throw notFound("Log entry");
  return new StoredJson(`${run.id}-${params.seq}`, async () => [Buffer.from(entry)]);
}

/** Follows the run live; goes on after the last event that the client saw. */
export async function streamLogs(
  context: OrganizationContext,
  { params, query }: OfRun & { query: { after?: number | undefined; clip?: number | undefined } },
): Promise<EventStream> {
  const run = await findRun(context, params.agent_run_id);
  const seen =
    context.lastEventId !== null && /^\d{1,9}$/.test(context.lastEventId) ? Number(context.lastEventId) : null;
  return new EventStream(events(context, run.id, seen ?? query.after ?? 0, query.clip));
}

async function* events(
  context: OrganizationContext,
  runId: number,
  after: number,
  clip: number | undefined,
): AsyncGenerator<StreamEvent> {
  const view = viewOf(context);
  for await (const event of follow(context.store, context.access, runId, { after, signal: context.signal })) {
    switch (event.kind) {
      case "entry": {
        const data = clip === undefined ? event.body : clipEntry(event.body, clip);
        yield { event: "entry", id: event.seq, data };
        break;
      }
      case "run":
        yield { event: "run", id: null, data: JSON.stringify(presentRun(event.run, view)) };
        break;
      case "progress":
        yield { event: "progress", id: null, data: JSON.stringify(event.progress) };
        break;
      case "end":
        yield { event: "end", id: null, data: JSON.stringify(presentRun(event.run, view)) };
        break;
    }
  }
}

async function readEntries(context: OrganizationContext, run: RunRow, query: LogsQuery): Promise<Uint8Array> {
  const { skip, reverse, clip } = query;
  // What is appended after the run was read must not appear in a page whose total_logs does not count it.
  const count = Math.min(query.limit, run.totalLogs - skip);
  if (count <= 0) return new Uint8Array();
  if (clip === undefined) return await readPage(context, run, skip, count, reverse);
  const clipped = await readClipped(context, run.id, reverse ? run.totalLogs - skip - count : skip, count, clip);
  return Buffer.from((reverse ? clipped.reverse() : clipped).join(","));
}

/** The stored bodies of a page, joined by commas. The run was found with the caller's access: a kept page shows no more. */
async function readPage(
  { store, access }: OrganizationContext,
  run: RunRow,
  skip: number,
  limit: number,
  reverse: boolean,
): Promise<Uint8Array> {
  const first = reverse ? run.totalLogs - skip : skip + 1;
  const cache = pageCacheOf(store);
  const key = `${run.id} ${first} ${limit} ${reverse}`;
  const kept = cache.get(key);
  if (kept !== undefined) return kept;
  const page = await store.entries.readPage(access, run.id, { skip, limit, reverse, totalLogs: run.totalLogs });
  cache.set(key, page);
  return page;
}

/** The entries first+1 … first+count, clipped, oldest first; read in batches so that huge entries never pile up. */
async function readClipped(
  context: OrganizationContext,
  runId: number,
  first: number,
  count: number,
  clip: number,
): Promise<string[]> {
  const clipped: string[] = [];
  while (clipped.length < count) {
    const batch = await context.store.entries.readAfter(
      context.access,
      runId,
      first + clipped.length,
      count - clipped.length,
      batchBytesMax,
    );
    if (batch.length === 0) break;
    for (const entry of batch) clipped.push(clipEntry(entry.body, clip));
  }
  return clipped;
}
