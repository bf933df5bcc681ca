import { isFiltering, type LogFilter } from "#lib/contract/logs/log-filter.ts";
import { type Outline, type OutlineBucket, type OutlineQuery, outlineBytesMax } from "#lib/contract/logs/outline.ts";
import type { OutlinedEntries } from "#lib/store/entries/entry-store.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import { findMatching, type MatchingLogs, type SeqRange } from "./matching-logs.ts";
import { Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Overview of a run: equal parts of it, or of a range between two entries. */
export async function getOutline(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: OutlineQuery },
): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  // Entries added after the run was read are not in total_logs either.
  const range = { first: 1, last: run.totalLogs };
  const matching = isFiltering(query) ? await findMatching(context, context.access, run, filterIn(query)) : null;
  return new Tagged(await outlineOf(context.store, context.access, run, query, range, matching));
}

/**
 * {@link getOutline} of a run already found with this access, limited to entries `first` … `last`. `matching` are those
 * that match a filter, or null without one.
 */
export async function outlineOf(
  store: Store,
  access: Access,
  run: Pick<RunRow, "id">,
  query: OutlineQuery,
  { first, last }: SeqRange,
  matching: MatchingLogs | null,
): Promise<Outline> {
  const range = { first: Math.max(query.from_seq ?? first, first), last: Math.min(query.to_seq ?? last, last) };
  const inParts = async (buckets: number) => {
    const parts = await store.entries.outline(access, run.id, { ...range, buckets });
    return parts.map((part) => presentPart(part, matching));
  };
  let buckets = await inParts(query.buckets);
  // A part has about 230 bytes plus 25 per type: nearly always all requested parts fit.
  for (let bytes = bytesOf(buckets); bytes > outlineBytesMax && buckets.length > 1; bytes = bytesOf(buckets)) {
    buckets = await inParts(Math.max(1, Math.floor((buckets.length * outlineBytesMax) / (bytes * 1.02))));
  }
  return {
    total_logs: Math.max(0, last - first + 1),
    buckets,
    ...(matching === null ? {} : { matching_logs: matching.count, complete: matching.complete }),
  };
}

function presentPart(part: OutlinedEntries, matching: MatchingLogs | null): OutlineBucket {
  return {
    from_seq: part.first,
    to_seq: part.last,
    counts: part.counts,
    errors: part.errors,
    first_error_seq: part.firstError,
    last_error_seq: part.lastError,
    first_at: part.firstAt,
    last_at: part.lastAt,
    ...(matching === null ? {} : { matching: matching.countBefore(part.last + 1) - matching.countBefore(part.first) }),
  };
}

const bytesOf = (buckets: readonly OutlineBucket[]) => JSON.stringify(buckets).length;

/** The filter of a query. */
export function filterIn({ buckets: _buckets, from_seq: _from, to_seq: _to, ...filter }: OutlineQuery): LogFilter {
  return filter;
}
