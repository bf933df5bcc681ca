import { setImmediate as turn } from "node:timers/promises";
import type { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow } from "#lib/store/store.ts";
import { clipEntry } from "./clip-entry.ts";
import type { MatchingLogs, ReadContext } from "./matching-logs.ts";

const batchBytesMax = 1024 * 1024;

/** Which of the matching entries: `skip` and `limit` count from the newest if `reverse`. */
export type LogWindow = Pick<LogsQuery, "skip" | "limit" | "reverse">;

type Read = Pick<RunRow, "id" | "totalLogs">;

/** Entries as JSON, joined by commas, in pieces. `isOwn`: not cached for other requests. */
type Page = { page: Uint8Array[]; isOwn: boolean };

/** A page of entries. The run was found with the caller's access: a cached page shows no more. */
export async function readPage(
  context: Pick<ReadContext, "store" | "caches">,
  access: Access,
  run: Read,
  matching: MatchingLogs,
  { clip, ...window }: LogWindow & Pick<LogsQuery, "clip">,
): Promise<Page> {
  const length = lengthOf(matching, window);
  if (length === 0) return { page: [], isOwn: true };
  const readShown = async () => {
    const clipped = clip === undefined ? (body: string) => body : (body: string) => clipEntry(body, clip);
    const bodies = await readBodies(context, access, run.id, seqsOf(matching, window), clipped);
    return [Buffer.from(bodies.join(","))];
  };
  if (matching.seqs !== null) return { page: await readShown(), isOwn: true };
  const first = seqIn(matching, window, 0);
  const cache = context.caches.pages;
  const key = `${run.id} ${first} ${length} ${window.reverse} ${clip}`;
  const kept = cache.get(key);
  if (kept !== undefined) return { page: kept, isOwn: false };
  // Entries appended after the run was read must not appear in a page whose total_logs does not count them.
  const skip = window.reverse ? run.totalLogs - first : first - 1;
  const read = { skip, limit: length, reverse: window.reverse, totalLogs: run.totalLogs };
  const page = clip === undefined ? await context.store.entries.readPage(access, run.id, read) : await readShown();
  return { page, isOwn: !cache.set(key, page) };
}

/** Seqs of a page, in its order. */
export function seqsOf(matching: MatchingLogs, window: LogWindow): number[] {
  return Array.from({ length: lengthOf(matching, window) }, (_, index) => seqIn(matching, window, index));
}

function lengthOf({ count }: MatchingLogs, { skip, limit }: LogWindow): number {
  return Math.max(0, Math.min(limit, count - skip));
}

/** Seq at a position of a page. */
function seqIn({ count, seqAt }: MatchingLogs, { skip, reverse }: LogWindow, index: number): number {
  return seqAt(reverse ? count - 1 - skip - index : skip + index);
}

/**
 * Applies `show` to the bodies of entries (at most 100), in the order of the seqs; reads in batches so that huge ones
 * never pile up.
 */
export async function readBodies(
  { store }: Pick<ReadContext, "store">,
  access: Access,
  runId: number,
  seqs: readonly number[],
  shown: (body: string) => string,
): Promise<string[]> {
  const bodies: string[] = [];
  while (bodies.length < seqs.length) {
    const batch = await store.entries.readChosen(access, runId, seqs.slice(bodies.length), batchBytesMax);
    if (batch.length === 0) break;
    for (const entry of batch) bodies.push(shown(entry.body));
    // Others get their turn between two batches.
    if (bodies.length < seqs.length) await turn();
  }
  return bodies;
}
