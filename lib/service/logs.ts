import { hash } from "node:crypto";
import { notFound } from "#lib/contract/error.ts";
import { isFiltering } from "#lib/contract/log-filter.ts";
import type { LogPositionQuery } from "#lib/contract/log-position.ts";
import type { LogsQuery } from "#lib/contract/run-operations.ts";
import { follow } from "#lib/tail/follow.ts";
import { clipEntry } from "./clip-entry.ts";
import { findPosition } from "./log-position.ts";
import { countTools } from "./log-tools.ts";
import { findMatching } from "./matching-logs.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { readPage } from "./read-page.ts";
import { EventStream, pieceOf, StoredJson, type StreamEvent, Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { whileAllowed } from "./while-allowed.ts";

type OfRun = { params: { agent_run_id: number } };

/**
 * A run with one page of its entries (§4.4): at most `limit` after `skip`, `total_logs` counts all, past the end the page is
 * empty. With a filter, skip and pages count what it leaves. The stored bodies go out as they are.
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
  // Entries never change, so the run (total_logs is in it), the question asked and how much is found of it decide the answer.
  const question = JSON.stringify([query, figures]);
  return new StoredJson(hash("sha1", `${question} ${shown}`, "base64url"), async () => {
    const { page, isOwn } = await readPage(context, context.access, run, matching, { skip, limit, clip, reverse });
    return { pieces: [before, page, after], isOwn };
  });
}

/** Where an entry stands among those that a filter leaves. */
export async function getLogPosition(
  context: OrganizationContext,
  { params, query }: OfRun & { query: LogPositionQuery },
): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  return new Tagged(await findPosition(context, context.access, run, query));
}

/** The tools of a run, the most used first. */
export async function getLogTools(context: OrganizationContext, { params }: OfRun): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  return new Tagged(await countTools(context, context.access, run));
}

/** One whole entry. */
export async function getLogEntry(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number; seq: number } },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const entry = await context.store.entries.find(context.access, run.id, params.seq);
  if (entry === null) throw notFound("Log entry");
  return new StoredJson(`${run.id}-${params.seq}`, async () => pieceOf(entry));
}

/**
 * Follows the run live; goes on after the last event that the client saw. Closes within 5 s when what opened it (token, session,
 * membership) has ended.
 */
export async function streamLogs(
  context: OrganizationContext,
  { params, query }: OfRun & { query: { after?: number | undefined; clip?: number | undefined } },
): Promise<EventStream> {
  const run = await findRun(context, params.agent_run_id);
  const seen =
    context.lastEventId !== null && /^\d{1,9}$/.test(context.lastEventId) ? Number(context.lastEventId) : null;
  const after = seen ?? query.after ?? 0;
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
        yield { event: "end", id: null, data: JSON.stringify(presentRun(event.run, view)) };
        break;
    }
  }
}
