import { setImmediate as turn } from "node:timers/promises";
import type { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import { clipEntry } from "#lib/entry/clip-entry.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow } from "#lib/store/store.ts";
import type { MatchingLogs, ReadContext } from "./matching-logs.ts";

const batchBytesMax = 1024 * 1024;
/** Reading and cutting a larger entry would keep others waiting: a thread does it. */
const largeBytes = 8 * 1024 * 1024;

/** Which of the matching entries: `skip` and `limit` count from the newest if `reverse`. */
export type LogWindow = Pick<LogsQuery, "skip" | "limit" | "reverse">;

type Read = Pick<RunRow, "id" | "totalLogs">;

/** Entries as JSON, joined by commas, in pieces. `isOwn`: not cached for other requests. */
type Page = { page: Uint8Array[]; isOwn: boolean };

/** A page of entries. The run was found with the caller's access: a cached page shows no more. */
export async function readPage(
  context: Pick<ReadContext, "store" | "caches" | "scanner">,
  access: Access,
  run: Read,
  matching: MatchingLogs,
  { clip, ...window }: LogWindow & Pick<LogsQuery, "clip">,
): Promise<Page> {
  const length = lengthOf(matching, window);
  if (length === 0) return { page: [], isOwn: true };
  const readShown = async () => {
    const seqs = seqsOf(matching, window);
    const bodies = await (clip === undefined
      ? readBodies(context, access, run.id, seqs, (body) => body)
      : readClipped(context, access, run.id, seqs, clip));
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

async function readClipped(
  context: Pick<ReadContext, "store" | "scanner">,
  access: Access,
  runId: number,
  seqs: readonly number[],
  clip: number,
): Promise<string[]> {
  const large = await context.store.entries.findLarge(access, runId, seqs, largeBytes);
  const bodies: string[] = [];
  for (let at = 0; at < seqs.length; ) {
    const next = seqs.findIndex((seq, index) => index >= at && large.has(seq));
    const small = seqs.slice(at, next === -1 ? seqs.length : next);
    if (small.length > 0) {
      const read = await readBodies(context, access, runId, small, (body) => clipEntry(body, clip));
      bodies.push(...read);
      // The rest has been deleted.
      if (read.length < small.length) break;
      at += small.length;
    } else {
      const clipped = await context.scanner.clip({ runId, seq: seqs[at] ?? 0 }, clip);
      if (clipped === null) break;
      bodies.push(clipped);
      at += 1;
    }
  }
  return bodies;
}
