import { LogEntry } from "#lib/contract/entry.ts";
import { type Matched, matchAt, visitTexts } from "#lib/contract/entry-text.ts";
import type { FindHit } from "#lib/contract/find.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import type { FoundRun, FoundRuns, SearchQuery } from "#lib/contract/search.ts";
import type { FoundInRun } from "#lib/store/search-runs.ts";
import { findWord, wordsOf } from "#lib/store/search-text.ts";
import { presentHit } from "./find-hit.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { filterOf } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

const limitDefault = 20;
/** After this long a search answers with what it has. */
const searchMs = 1500;

/** The runs of the organization in which an entry holds all words, newest first, each with its best entries. */
export async function searchRuns(context: OrganizationContext, { query }: { query: SearchQuery }): Promise<FoundRuns> {
  const { q, ...filter } = query;
  const rows = rowsOf({ ...query, limit: query.limit ?? query.size ?? limitDefault });
  const words = wordsOf(q);
  // Only runs that the caller may see are searched at all: nothing of another organization can show, not even in a count.
  const runs = await context.store.runs.listCounts(context.access, filterOf(filter));
  if (words.length === 0) return { ...pageOf([], 0, rows), indexed: { behind_logs: 0, complete: true } };
  const search = {
    runIds: Float64Array.from(runs, ({ id }) => id),
    totals: Float64Array.from(runs, ({ totalLogs }) => totalLogs),
    words,
    ...rows,
  };
  const { found, total, behind, isComplete } = await context.scanner.search(search, searchMs);
  const items: FoundRun[] = [];
  for (const one of found) {
    const item = await presentFound(context, one, words);
    if (item !== null) items.push(item);
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

async function presentFound(
  context: OrganizationContext,
  { runId, matching, seqs }: FoundInRun,
  words: readonly string[],
): Promise<FoundRun | null> {
  const run = await context.store.runs.find(context.access, runId);
  if (run === null) return null;
  const hits: FindHit[] = [];
  for (const seq of seqs) {
    const body = await context.store.entries.find(context.access, runId, seq);
    if (body === null) continue;
    const entry = LogEntry.parse(JSON.parse(body));
    const best = bestMatch(entry, words);
    if (best !== null) hits.push(presentHit(entry, best.match, best.matches));
  }
  return { run: presentRun(run, viewOf(context)), matching_logs: matching, hits };
}

/** The value in which most of the words begin, at the longest of them; `matches` counts the values in which any does. */
function bestMatch(entry: LogEntry, words: readonly string[]): { match: Matched; matches: number } | null {
  let best: Matched | null = null;
  let most = 0;
  let matches = 0;
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  visitTexts(entry, (text, pathOf) => {
    const lower = text.toLowerCase();
    const places = longestFirst.flatMap((word) => {
      const found = findWord(lower, word);
      return found === null ? [] : [{ at: found.at, length: word.length }];
    });
    const [first] = places;
    if (first === undefined) return true;
    matches += 1;
    if (places.length > most) {
      most = places.length;
      best = matchAt(pathOf(), text, lower, first.at, first.length);
    }
    return true;
  });
  return best === null ? null : { match: best, matches };
}
