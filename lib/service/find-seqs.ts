import type { FindSession } from "#lib/search/find-session.ts";
import type { RunRow } from "#lib/store/store.ts";
import type { ServiceContext } from "./service-context.ts";
import type { SharedPart } from "./shared-part.ts";
import { sharedScanner } from "./shared-scanner.ts";

/** How long a response waits for a text search. */
const searchMs = 5000;

/** Seqs of a run's entries that contain a text, in order; incomplete while `complete` is false. */
export type FoundSeqs = { seqs: Uint32Array; complete: boolean };

type Searching = Pick<ServiceContext, "caches" | "scanner" | "signal">;

/** Text search in a run. The caller must have checked that the run is visible. */
export function runSession({ caches, scanner }: Omit<Searching, "signal">, runId: number, q: string): FindSession {
  return caches.finds.of(`run ${runId}`, q, () => ({ runId, first: 1, scanner }));
}

/** Text search in what a link shows. */
export function sharedSession(
  { caches, store, scanner }: Pick<ServiceContext, "caches" | "store" | "scanner">,
  part: SharedPart,
  q: string,
): FindSession {
  return caches.finds.of(`share ${part.share.id} ${part.share.values.version}`, q, () => ({
    runId: part.run.id,
    first: part.first,
    scanner: sharedScanner({ store, scanner }, part),
  }));
}

/**
 * Entries of a run (among those `run.totalLogs` counts) that contain a text, as defined by findInLogs. Waits at most 5
 * s; the next call continues. The caller must have checked that the run is visible. The array belongs to the search and
 * is read-only.
 */
export function findSeqs(context: Searching, run: Pick<RunRow, "id" | "totalLogs">, q: string): Promise<FoundSeqs> {
  return seqsOf(runSession(context, run.id, q), run.totalLogs, context.signal);
}

/** {@link findSeqs} in what a link shows, which differs from what is stored. */
export function findSharedSeqs(context: ServiceContext, part: SharedPart): (q: string) => Promise<FoundSeqs> {
  return (q) => seqsOf(sharedSession(context, part, q), part.last, context.signal);
}

async function seqsOf(session: FindSession, last: number, signal: AbortSignal): Promise<FoundSeqs> {
  await session.search(last, 1, searchMs, signal);
  return { seqs: session.found.seqs(last), complete: session.isSearched(last) };
}
