import type { RunRow } from "#lib/store/store.ts";
import type { ServiceContext } from "./service-context.ts";

/** Entries of a run by seq, in order, that hold a text; not all of them while `complete` is false. */
export type FoundSeqs = { seqs: Uint32Array; complete: boolean };

/**
 * The entries of a run (of those that `run.totalLogs` counts) that hold a text, as findInLogs understands it. Waits at most so
 * long; asked again, it goes on. The caller has made sure that the run may be seen. The array belongs to the search: it is read,
 * never written.
 */
export async function findSeqs(
  context: Pick<ServiceContext, "caches" | "signal">,
  run: Pick<RunRow, "id" | "totalLogs">,
  q: string,
  waitMs: number,
): Promise<FoundSeqs> {
  const session = context.caches.finds.of(run.id, q);
  await session.search(run.totalLogs, 1, waitMs, context.signal);
  return { seqs: session.seqs(run.totalLogs), complete: session.isSearched(run.totalLogs) };
}
