import { type FoundRun, type FoundRuns, type SearchQuery, searchLimitDefault } from "#lib/contract/logs/search.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { findWord, wordsOf } from "#lib/search/search-text.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { filterOf } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** After this many ms a search responds with its results so far. */
const searchMs = 1500;

/** Runs of the organization whose prompt or a single entry contains all words, newest first, each with its best entries. */
export async function searchRuns(context: OrganizationContext, { query }: { query: SearchQuery }): Promise<FoundRuns> {
  const { q, cursor, ...filter } = query;
  const rows = rowsOf({ ...query, limit: query.limit ?? query.size ?? searchLimitDefault });
  const words = wordsOf(q);
  // Only runs visible to the caller are searched at all: nothing of another organization can show, not even in a count.
  const runs = await context.store.runs.listCounts(context.access, filterOf(filter));
  const nothing = { ...pageOf([], 0, rows), cursor: null, indexed: { behind_logs: 0, complete: true } };
  if (words.length === 0) return nothing;
  const search = {
    runIds: Float64Array.from(runs, ({ id }) => id),
    totals: Float64Array.from(runs, ({ totalLogs }) => totalLogs),
    foundByPrompt: Float64Array.from(await runsByPrompt(context, filter, words)),
    words,
    from: cursor ?? null,
    ...rows,
  };
  const { found, total, behind, next } = await context.scanner.search(search, searchMs);
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
    cursor: next === null ? null : `${next.runId}.${next.seq}`,
    indexed: { behind_logs: behind, complete: next === null || items.length >= limit },
  };
}

/** Maximum number of candidates, newest first, whose prompts are read. */
const promptsMax = 200;

/**
 * Ids of runs whose prompt contains all words and is not in their log: of external runs, and of those that have not begun. The log of
 * all others begins with it.
 */
async function runsByPrompt(
  { store, access }: OrganizationContext,
  filter: Omit<SearchQuery, "q" | "cursor">,
  words: readonly string[],
): Promise<number[]> {
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
  const candidates = await store.runs.listCounts(access, { ...filterOf(filter), q: longest });
  const unlogged = candidates.filter(({ totalLogs, agent }) => totalLogs === 0 || agent === externalAgent);
  const ids = unlogged.slice(0, promptsMax).map(({ id }) => id);
  const runs = await Promise.all(ids.map((id) => store.runs.find(access, id)));
  return runs.flatMap((run) => {
    const text = foldCase(run?.prompt ?? "");
    return run !== null && words.every((word) => findWord(text, word) !== null) ? [run.id] : [];
  });
}
