import type { CallResult } from "#lib/client/request.ts";
import type { FindHit, Found } from "#lib/contract/logs/find.ts";
import type { LogsFilter } from "./filtered-log-queries.ts";
import { callTrace, type TraceSource } from "./trace-source.ts";

/** State of a search; `matches` is null if occurrences are not counted, as among the entries that match a filter. */
export type FoundHits = Omit<Found, "matches" | "indexed_logs"> & { matches: number | null };

/** Start of a page of hits: a rank from 0, or the first hit at or after an entry, or else the first of all. */
export type HitsFrom = { skip: number } | { around: number };

/** Hits of a text among the entries that match a filter without text. They have no snippets. */
export async function findFiltered(
  source: TraceSource,
  filter: LogsFilter,
  q: string,
  from: HitsFrom,
  limit: number,
  signal: AbortSignal,
): Promise<FoundHits> {
  const query = { ...filter, q };
  let skip = 0;
  if ("skip" in from) skip = from.skip;
  else {
    const place = await callTrace(source, "getLogPosition", { query: { ...query, seq: from.around }, signal });
    if (place.seq !== null) skip = place.skip;
  }
  const page = await callTrace(source, "getLogs", { query: { ...query, skip, limit, clip: 1 }, signal });
  return {
    q,
    total_logs: page.total_logs,
    searched_logs: page.total_logs,
    complete: page.complete ?? true,
    matching_logs: page.matching_logs ?? 0,
    matches: null,
    skip,
    hits: page.logs.map(hitOf),
    buckets: [],
  };
}

function hitOf({ seq, message_type, tool_name }: CallResult<"getLogs">["logs"][number]): FindHit {
  return { seq, message_type, tool_name, field: "", snippet: "", snippet_start: 0, snippet_length: 0, matches: 1 };
}
