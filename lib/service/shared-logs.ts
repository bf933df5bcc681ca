import { notFound } from "#lib/contract/error.ts";
import type { LogsQuery } from "#lib/contract/run-operations.ts";
import { type SharedRun, sharedClipMax } from "#lib/contract/shared-run.ts";
import { StoredJson } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";
import { presentSharedEntry } from "./shared-entry.ts";
import { openShare, presentSharedRun, type SharedPart } from "./shared-part.ts";

type OfShare = { params: { share_token: string } };

const batchBytesMax = 4 * 1024 * 1024;

/** The shared run; where a person has opened the page, that is counted. */
export async function getSharedRun(
  context: ServiceContext,
  { params, query }: OfShare & { query: { view: boolean } },
): Promise<SharedRun> {
  const part = await openShare(context, params.share_token);
  if (query.view) await context.store.shares.noteView(part.share.id);
  return presentSharedRun(part, addressOf(context, params.share_token));
}

/** The shared run with one page of the entries that show. */
export async function getSharedLogs(
  context: ServiceContext,
  { params, query }: OfShare & { query: LogsQuery },
): Promise<StoredJson> {
  const part = await openShare(context, params.share_token);
  const { skip, limit } = query;
  const shown = JSON.stringify(presentSharedRun(part, addressOf(context, params.share_token)));
  const page = { page: Math.floor(skip / limit) + 1, size: limit, pages: Math.ceil(part.count / limit) };
  return new StoredJson(null, async () => [
    Buffer.from(`${shown.slice(0, -1)},"logs":[`),
    Buffer.from((await readEntries(context, part, query)).join(",")),
    Buffer.from(`],${JSON.stringify(page).slice(1)}`),
  ]);
}

/** One whole entry that the link shows; 404 for all others. */
export async function getSharedEntry(
  context: ServiceContext,
  { params }: { params: { share_token: string; seq: number } },
): Promise<StoredJson> {
  const { access, run, share, first, last } = await openShare(context, params.share_token);
  const isShown = params.seq >= first && params.seq <= last;
  const entry = isShown ? await context.store.entries.find(access, run.id, params.seq) : null;
  if (entry === null) throw notFound("Log entry");
  return new StoredJson(null, async () => [Buffer.from(presentSharedEntry(entry, share, null))]);
}

/** The address of the page that shows the run. */
export function addressOf({ publicUrl }: Pick<ServiceContext, "publicUrl">, token: string): string {
  return `${publicUrl}/share/${encodeURIComponent(token)}`;
}

async function readEntries(
  { store }: ServiceContext,
  { share, run, access, first, count }: SharedPart,
  { skip, limit, reverse, clip }: LogsQuery,
): Promise<string[]> {
  const wanted = Math.min(limit, count - skip);
  const start = first + (reverse ? count - skip - wanted : skip);
  const entries: string[] = [];
  while (entries.length < wanted) {
    const after = start - 1 + entries.length;
    const batch = await store.entries.readAfter(access, run.id, after, wanted - entries.length, batchBytesMax);
    if (batch.length === 0) break;
    for (const { body } of batch) {
      entries.push(presentSharedEntry(body, share, Math.min(clip ?? sharedClipMax, sharedClipMax)));
    }
  }
  return reverse ? entries.reverse() : entries;
}
