import type { FindQuery, Found } from "#lib/contract/find.ts";
import type { RunRow } from "#lib/store/store.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext, ServiceContext } from "./service-context.ts";

/** Where in a run a text occurs, as far as it is known when the answer is due. */
export async function findInLogs(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: FindQuery },
): Promise<Found> {
  const run = await findRun(context, params.agent_run_id);
  return await findInRun(context, run, query);
}

/** {@link findInLogs} for a run that was found, by whatever right. */
export async function findInRun(
  context: Pick<ServiceContext, "caches" | "scanner" | "signal">,
  run: RunRow,
  query: FindQuery,
): Promise<Found> {
  const session = context.caches.finds.of(run.id, query.q);
  const pageOf = (limit: number, total: number) =>
    query.around_seq === undefined
      ? session.hitsAfter(query.skip, limit, total)
      : session.hitsAround(query.around_seq, limit, total);
  const isKnown = () => pageOf(1, run.totalLogs).seqs.length > 0;
  const enough = query.hits_wait_ms === undefined ? undefined : { ms: query.hits_wait_ms, isKnown };
  await session.search(run.totalLogs, query.around_seq ?? 1, query.wait_ms, context.signal, enough);
  const complete = session.isSearched(run.totalLogs);
  // Others may have searched further meanwhile: the run has grown, and what is counted is the run as it was searched.
  const totalLogs = complete ? session.searchedUpTo : run.totalLogs;
  const found = pageOf(query.limit, totalLogs);
  const { searched, entries, matches } = session.figures(complete ? totalLogs : Number.POSITIVE_INFINITY);
  const places = found.seqs.map((seq) => ({ runId: run.id, seq }));
  const hits = await context.scanner.show(places, { needle: session.needle });
  return {
    q: query.q,
    total_logs: totalLogs,
    searched_logs: Math.min(searched, totalLogs),
    indexed_logs: session.indexed(totalLogs),
    complete,
    matching_logs: entries,
    matches,
    skip: found.skip,
    hits: hits.filter((hit) => hit !== null),
    buckets: query.buckets === 0 ? [] : session.buckets(query.buckets, totalLogs),
  };
}
