import { hash } from "node:crypto";
import { notFound } from "#lib/contract/error.ts";
import { isFiltering } from "#lib/contract/logs/log-filter.ts";
import type { LogPositionQuery } from "#lib/contract/logs/log-position.ts";
import type { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { clipEntry } from "#lib/entry/clip-entry.ts";
import { follow } from "#lib/tail/follow.ts";
import { endId, lastSeen } from "./last-event-id.ts";
import { findPosition } from "./log-position.ts";
import { countTools } from "./log-tools.ts";
import { findMatching } from "./matching-logs.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { readPage } from "./read-page.ts";
import { EventStream, NoContent, pieceOf, StoredJson, type StreamEvent, Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { whileAllowed } from "./while-allowed.ts";

type OfRun = { params: { agent_run_id: number } };

/**
 * A run with one page of its entries: at most `limit` after `skip`. `total_logs` counts all; a page past the end
 * is empty. With a filter, skip and pages count matching entries. Stored bodies are sent unchanged.
 */
export async function getLogs(
  context: OrganizationContext,
  { params, query }: OfRun & { query: LogsQuery },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const { skip, limit, clip, reverse, ...filter } = query;
  const matching = await findMatching(context, context.access, run, filter);
  const shown = JSON.stringify(presentRun(run, viewOf(context)));
  const figures = {
    page: Math.floor(skip / limit) + 1,
    size: limit,
    pages: Math.ceil(matching.count / limit),
    ...(isFiltering(filter) ? { matching_logs: matching.count, complete: matching.complete } : {}),
  };
  const before = Buffer.from(`${shown.slice(0, -1)},"logs":[`);
  const after = Buffer.from(`],${JSON.stringify(figures).slice(1)}`);
  // Entries never change, so the run (including total_logs), the query and the search's progress determine the
  // response.
  const question = JSON.stringify([query, figures]);
  return new StoredJson(hash("sha1", `${question} ${shown}`, "base64url"), async () => {
    const { page, isOwn } = await readPage(context, context.access, run, matching, { skip, limit, clip, reverse });
    return { pieces: [before, ...page, after], isOwn };
  });
}

/** Position of an entry among those that match a filter. */
export async function getLogPosition(
  context: OrganizationContext,
  { params, query }: OfRun & { query: LogPositionQuery },
): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  return new Tagged(await findPosition(context, context.access, run, query));
}

/** Tools of a run, most used first. */
export async function getLogTools(context: OrganizationContext, { params }: OfRun): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  return new Tagged(await countTools(context, context.access, run));
}

/** One complete entry. */
export async function getLogEntry(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number; seq: number } },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const entry = await context.store.entries.find(context.access, run.id, params.seq);
  if (entry === null) throw notFound("Log entry");
  // A restored store gives ids again, but not at the same time.
  return new StoredJson(`${run.id}-${Date.parse(run.createdAt)}-${params.seq}`, async () => pieceOf(entry));
}

/**
 * Follows the run live, continuing after the last event the client saw; nothing if that was its end. Closes within 5 s when its
 * token, session or membership has ended.
 */
export async function streamLogs(
  context: OrganizationContext,
  { params, query }: OfRun & { query: { after?: number | undefined; clip?: number | undefined } },
): Promise<EventStream | NoContent> {
  const run = await findRun(context, params.agent_run_id);
  const seen = lastSeen(context.lastEventId);
  if (seen?.hasEnded && isEnd(run.status) && seen.seq >= run.totalLogs) return new NoContent();
  const after = seen?.seq ?? query.after ?? 0;
  const { events, cutOff } = whileAllowed(context.isStillAllowed, context.signal, (signal) =>
    runEvents(context, run.id, { after, clip: query.clip, signal }),
  );
  return new EventStream(events, cutOff);
}

async function* runEvents(
  context: OrganizationContext,
  runId: number,
  { after, clip, signal }: { after: number; clip: number | undefined; signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  const view = viewOf(context);
  for await (const event of follow(context, context.access, runId, { after, signal })) {
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
        yield { event: "end", id: endId(event.run.totalLogs), data: JSON.stringify(presentRun(event.run, view)) };
        break;
    }
  }
}
