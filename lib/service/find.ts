import type { FindHit, FindQuery, Found } from "#lib/contract/logs/find.ts";
import type { FindSession } from "#lib/search/find-session.ts";
import { runSession, sharedSession } from "./find-seqs.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext, ServiceContext } from "./service-context.ts";
import { openShare } from "./shared-part.ts";
import { showShared } from "./shared-scanner.ts";

/** Occurrences of a text in a run, as far as known when the response is due. */
export async function findInLogs(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: FindQuery },
): Promise<Found> {
  const run = await findRun(context, params.agent_run_id);
  const session = runSession(context, run.id, query.q);
  const show = (seqs: readonly number[]) =>
    context.scanner.show(
      seqs.map((seq) => ({ runId: run.id, seq })),
      { needle: session.needle },
    );
  return await findIn({ session, first: 1, last: run.totalLogs, show }, query, context.signal);
}

/** Occurrences of a text in what a link shows, by the same rules. */
export async function findInSharedLogs(
  context: ServiceContext,
  { params, query }: { params: { share_token: string }; query: FindQuery },
): Promise<Found> {
  const part = await openShare(context, params.share_token);
  const session = sharedSession(context, part, query.q);
  const show = (seqs: readonly number[]) => showShared(context, part, seqs, session.needle);
  return await findIn({ session, first: part.first, last: part.last, show }, query, context.signal);
}

/** Entries `first` … `last` of the searched log; `show` reads hits. */
type SearchedPart = {
  session: FindSession;
  first: number;
  last: number;
  show(seqs: readonly number[]): Promise<(FindHit | null)[]>;
};

async function findIn({ session, first, last, show }: SearchedPart, query: FindQuery, signal: AbortSignal) {
  const pageOf = (limit: number, upto: number) =>
    query.around_seq === undefined
      ? session.found.hitsAfter(query.skip, limit, upto)
      : session.found.hitsAround(query.around_seq, limit, upto);
  const isKnown = () => pageOf(1, last).seqs.length > 0;
  const enough = query.hits_wait_ms === undefined ? undefined : { ms: query.hits_wait_ms, isKnown };
  await session.search(last, query.around_seq ?? first, query.wait_ms, signal, enough);
  const complete = session.isSearched(last);
  // Another request may have searched further in the meantime; count the run as it was searched.
  const upto = complete ? session.found.searchedUpTo : last;
  const total = Math.max(upto - first + 1, 0);
  const page = pageOf(query.limit, upto);
  const { searched, entries, matches } = session.found.figures(complete ? upto : Number.POSITIVE_INFINITY);
  return {
    q: query.q,
    total_logs: total,
    searched_logs: Math.min(searched, total),
    indexed_logs: session.found.indexed(upto),
    complete,
    matching_logs: entries,
    matches,
    skip: page.skip,
    hits: await hitsOf(session, page.seqs, show),
    buckets: query.buckets === 0 ? [] : session.found.buckets(query.buckets, upto),
  };
}

/** Hits of entries, in the order of the seqs; entries never change, so those shown before are not read again. */
async function hitsOf({ hits }: FindSession, seqs: readonly number[], show: SearchedPart["show"]): Promise<FindHit[]> {
  const missing = seqs.filter((seq) => hits.get(seq) === undefined);
  for (const hit of await show(missing)) if (hit !== null) hits.set(hit.seq, hit);
  return seqs.flatMap((seq) => hits.get(seq) ?? []);
}
