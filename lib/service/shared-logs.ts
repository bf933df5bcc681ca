import { notFound } from "#lib/contract/error.ts";
import { isFiltering } from "#lib/contract/logs/log-filter.ts";
import type { LogPosition, LogPositionQuery } from "#lib/contract/logs/log-position.ts";
import type { LogTools } from "#lib/contract/logs/log-tools.ts";
import type { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import { type SharedRun, sharedClipMax } from "#lib/contract/runs/shared-run.ts";
import { kinds } from "#lib/store/entries/entry-blocks.ts";
import { findSharedSeqs } from "./find-seqs.ts";
import { findPosition } from "./log-position.ts";
import { countTools } from "./log-tools.ts";
import { maskText } from "./mask-secrets.ts";
import { findMatching } from "./matching-logs.ts";
import { readBodies, seqsOf } from "./read-page.ts";
import { pieceOf, StoredJson } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";
import { presentSharedEntry } from "./shared-entry.ts";
import { hidesTool, sharedFilter } from "./shared-fields.ts";
import { isMaskedBy, openShare, presentSharedRun } from "./shared-part.ts";

type OfShare = { params: { share_token: string } };

/** The shared run; counts the view if a person opened the page. */
export async function getSharedRun(
  context: ServiceContext,
  { params, query }: OfShare & { query: { view: boolean } },
): Promise<SharedRun> {
  const part = await openShare(context, params.share_token);
  if (query.view) await context.store.shares.noteView(part.share.id);
  return presentSharedRun(part, addressOf(context, params.share_token));
}

/** The shared run with one page of the entries shown. */
export async function getSharedLogs(
  context: ServiceContext,
  { params, query }: OfShare & { query: LogsQuery },
): Promise<StoredJson> {
  const part = await openShare(context, params.share_token);
  const { share, run, access, first, last } = part;
  const { skip, limit, clip = sharedClipMax, reverse, ...filter } = query;
  const matching = await findMatching(
    context,
    access,
    run,
    sharedFilter(filter, isMaskedBy(share)),
    { first, last },
    findSharedSeqs(context, part),
  );
  const shown = JSON.stringify(presentSharedRun(part, addressOf(context, params.share_token)));
  const page = {
    page: Math.floor(skip / limit) + 1,
    size: limit,
    pages: Math.ceil(matching.count / limit),
    ...(isFiltering(filter) ? { matching_logs: matching.count, complete: matching.complete } : {}),
  };
  const seqs = seqsOf(matching, { skip, limit, reverse });
  const present = (body: string) => presentSharedEntry(body, share, Math.min(clip, sharedClipMax));
  return new StoredJson(null, async () => {
    const bodies = await readBodies(context, access, run.id, seqs, present);
    return pieceOf(`${shown.slice(0, -1)},"logs":[${bodies.join(",")}],${JSON.stringify(page).slice(1)}`);
  });
}

/** One complete entry that the link shows; 404 for all others. */
export async function getSharedEntry(
  context: ServiceContext,
  { params }: { params: { share_token: string; seq: number } },
): Promise<StoredJson> {
  const { access, run, share, first, last } = await openShare(context, params.share_token);
  const isShown = params.seq >= first && params.seq <= last;
  const entry = isShown ? await context.store.entries.find(access, run.id, params.seq) : null;
  if (entry === null) throw notFound("Log entry");
  return new StoredJson(null, async () => pieceOf(presentSharedEntry(entry, share, null)));
}

/** Position of an entry among those that the link shows and that match a filter. */
export async function getSharedPosition(
  context: ServiceContext,
  { params, query }: OfShare & { query: LogPositionQuery },
): Promise<LogPosition> {
  const part = await openShare(context, params.share_token);
  const { run, access, share, first, last } = part;
  const isMasked = isMaskedBy(share);
  const isHidden = query.tool_call_id !== undefined && isMasked(query.tool_call_id);
  const asked = { ...sharedFilter(query, isMasked), ...(isHidden ? { tool_call_id: undefined, seq: last + 1 } : {}) };
  return await findPosition(context, access, run, asked, { first, last }, findSharedSeqs(context, part));
}

const kindsHidingTools = new Set(kinds.filter((kind) => hidesTool(kind.messageType)).map(({ code }) => code));

/** Tools of the entries that the link shows. */
export async function getSharedTools(context: ServiceContext, { params }: OfShare): Promise<LogTools> {
  const { run, access, first, last, share } = await openShare(context, params.share_token);
  const mask = (text: string) => maskText(text, undefined, share.values);
  const { items } = await countTools(context, access, run, { first, last }, kindsHidingTools);
  return { items: items.map(({ tool_name, count }) => ({ tool_name: mask(tool_name), count })) };
}

/** The address of the page that shows the run. */
export function addressOf({ publicUrl }: Pick<ServiceContext, "publicUrl">, token: string): string {
  return `${publicUrl}/share/${encodeURIComponent(token)}`;
}
