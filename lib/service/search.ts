import { type FoundRun, type FoundRuns, type SearchQuery, searchLimitDefault } from "#lib/contract/logs/search.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import { wordsOf } from "#lib/search/search-text.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { filterOf } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** After this many ms a search responds with its results so far. */
const searchMs = 1500;

/** Runs of the organization in which a single entry contains all words, newest first, each with its best entries. */
export async function searchRuns(context: OrganizationContext, { query }: { query: SearchQuery }): Promise<FoundRuns> {
  const { q, ...filter } = query;
  const rows = rowsOf({ ...query, limit: query.limit ?? query.size ?? searchLimitDefault });
  const words = wordsOf(q);
  // Only runs visible to the caller are searched at all: nothing of another organization can show, not even in a count.
  const runs = await context.store.runs.listCounts(context.access, filterOf(filter));
  if (words.length === 0) return { ...pageOf([], 0, rows), indexed: { behind_logs: 0, complete: true } };
  const search = {
    runIds: Float64Array.from(runs, ({ id }) => id),
    totals: Float64Array.from(runs, ({ totalLogs }) => totalLogs),
    words,
    ...rows,
  };
  const { found, total, behind, isComplete } = await context.scanner.search(search, searchMs);
  const places = found.flatMap(({ runId, seqs }) => seqs.map((seq) => ({ runId, seq })));
  const hits = await context.scanner.show(places, { words });
  const items: FoundRun[] = [];
  for (const { runId, matching } of found) {
    const run = await context.store.runs.find(context.access, runId);
    if (run === null) continue;
    const own = hits.filter((hit, index) => hit !== null && places[index]?.runId === runId);
    items.push({
      run: presentRun(run, viewOf(context)),
      matching_logs: matching,
      hits: own.filter((hit) => hit !== null),
    });
  }
  const { skip, limit } = rows;
  return {
    items,
    total,
    page: Math.floor(skip / limit) + 1,
    size: limit,
    pages: total === null ? null : Math.ceil(total / limit),
    indexed: { behind_logs: behind, complete: isComplete },
  };
}
