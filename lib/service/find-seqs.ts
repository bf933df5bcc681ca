import type { FindSession } from "#lib/search/find-session.ts";
import type { RunRow } from "#lib/store/store.ts";
import type { ServiceContext } from "./service-context.ts";
import type { SharedPart } from "./shared-part.ts";
import { sharedScanner } from "./shared-scanner.ts";

/** How long an answer waits for a text to be looked for. */
const searchMs = 5000;

/** Entries of a run by seq, in order, that hold a text; not all of them while `complete` is false. */
export type FoundSeqs = { seqs: Uint32Array; complete: boolean };

type Searching = Pick<ServiceContext, "caches" | "scanner" | "signal">;

/** The search for a text in a run. The caller has made sure that the run may be seen. */
export function runSession({ caches, scanner }: Omit<Searching, "signal">, runId: number, q: string): FindSession {
  return caches.finds.of(`run ${runId}`, q, () => ({ runId, first: 1, scanner }));
}

/** The search for a text in what a link shows. */
export function sharedSession(
  { caches, store, scanner }: Pick<ServiceContext, "caches" | "store" | "scanner">,
  part: SharedPart,
  q: string,
): FindSession {
  return caches.finds.of(`share ${part.share.id}`, q, () => ({
    runId: part.run.id,
    first: part.first,
    scanner: sharedScanner({ store, scanner }, part),
  }));
}

/**
 * The entries of a run (of those that `run.totalLogs` counts) that hold a text, as findInLogs understands it. Waits at most 5 s;
 * asked again, it goes on. The caller has made sure that the run may be seen. The array belongs to the search: it is read,
 * never written.
 */
export function findSeqs(context: Searching, run: Pick<RunRow, "id" | "totalLogs">, q: string): Promise<FoundSeqs> {
  return seqsOf(runSession(context, run.id, q), run.totalLogs, context.signal);
}

/** {@link findSeqs} in what a link shows, which is not what is stored. */
export function findSharedSeqs(context: ServiceContext, part: SharedPart): (q: string) => Promise<FoundSeqs> {
  return (q) => seqsOf(sharedSession(context, part, q), part.last, context.signal);
}

async function seqsOf(session: FindSession, last: number, signal: AbortSignal): Promise<FoundSeqs> {
  await session.search(last, 1, searchMs, signal);
  return { seqs: session.found.seqs(last), complete: session.isSearched(last) };
}
