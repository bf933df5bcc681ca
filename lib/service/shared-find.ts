import type { FindHit, FindQuery, Found } from "#lib/contract/find.ts";
import { countMatches, firstMatch, snippetOf } from "#lib/entry/entry-text.ts";
import type { Store } from "#lib/store/store.ts";
import { type FoundSeqs, findSeqs } from "./find-seqs.ts";
import type { ServiceContext } from "./service-context.ts";
import { readSharedEntry } from "./shared-entry.ts";
import { openShare, type SharedPart } from "./shared-part.ts";

/** How long entries are looked at before other requests are served. */
const turnMs = 10;
/** How long a filtered page waits for a text to be looked for. */
const filterMs = 5000;
const searchesMax = 50;

/** The search for one text through one link. What the index names is read as the link shows it: only that counts. */
type Search = {
  /** Up to where it has looked, in seqs. */
  checked: number;
  seqs: number[];
  counts: number[];
  /** The one that looks just now; others wait for it. */
  looking: Promise<void> | null;
};

const searches = new WeakMap<Store, Map<string, Search>>();

/** Where in what a link shows a text occurs, as far as it is known when the answer is due: {@link Found}, by the same rules. */
export async function findInSharedLogs(
  context: ServiceContext,
  { params, query }: { params: { share_token: string }; query: FindQuery },
): Promise<Found> {
  const part = await openShare(context, params.share_token);
  const { first, last, count } = part;
  const needle = query.q.toLowerCase();
  const isKnown = ({ seqs }: Search) => (pageStart(seqs, query, false) ?? seqs.length) < seqs.length;
  const enough = { ms: query.hits_wait_ms ?? query.wait_ms, isKnown };
  const search = await searchPart(context, part, query.q, query.wait_ms, enough);
  const complete = search.checked >= last;
  const seqs = search.seqs.filter((seq) => seq <= last);
  const from = pageStart(seqs, query, complete || search.checked >= (query.around_seq ?? 0));
  const hits = await Promise.all(
    seqs
      .slice(from ?? 0, from === null ? 0 : from + query.limit)
      .map((seq, index) => readHit(context, part, seq, needle, search.counts[(from ?? 0) + index] ?? 0)),
  );
  return {
    q: query.q,
    total_logs: count,
    searched_logs: complete ? count : Math.max(0, search.checked - first + 1),
    indexed_logs: count,
    complete,
    matching_logs: seqs.length,
    matches: search.counts.slice(0, seqs.length).reduce((sum, matches) => sum + matches, 0),
    skip: hits.length === 0 ? null : from,
    hits: hits.filter((hit) => hit !== null),
    buckets: bucketsOf(seqs, query.buckets, { first, count }),
  };
}

/** How findMatching looks for texts in what the link shows, which is not what is stored. */
export function searchIn(context: ServiceContext, part: SharedPart): (q: string) => Promise<FoundSeqs> {
  return async (q) => {
    const { seqs, checked } = await searchPart(context, part, q, filterMs);
    return { seqs: Uint32Array.from(seqs), complete: checked >= part.last };
  };
}

/**
 * Searches for so long, or until the whole part is searched; for `enough.ms` where what is known then will do. Asked again, it goes
 * on.
 */
async function searchPart(
  context: ServiceContext,
  part: SharedPart,
  q: string,
  waitMs: number,
  enough?: { ms: number; isKnown: (search: Search) => boolean },
): Promise<Search> {
  const { first, last, run, share } = part;
  const begun = performance.now();
  const needle = q.toLowerCase();
  const search = searchOf(context.store, `${share.id} ${needle}`, first);
  // What the index finds in the whole run is never told: only what of it shows.
  const named = await findSeqs(context, { id: run.id, totalLogs: last }, q, waitMs);
  // While it is not complete there may be gaps in it.
  while (named.complete && search.checked < last && !context.signal.aborted) {
    search.looking ??= look(context, part, search, needle, named.seqs).finally(() => {
      search.looking = null;
    });
    await search.looking;
    const passedMs = performance.now() - begun;
    if (passedMs >= waitMs || (enough !== undefined && passedMs >= enough.ms && enough.isKnown(search))) break;
  }
  return search;
}

function searchOf(store: Store, key: string, first: number): Search {
  let kept = searches.get(store);
  if (kept === undefined) {
    kept = new Map();
    searches.set(store, kept);
  }
  const search = kept.get(key) ?? { checked: first - 1, seqs: [], counts: [], looking: null };
  kept.delete(key);
  kept.set(key, search);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > searchesMax) kept.delete(oldest);
  return search;
}

/** Looks at the candidates in order for one turn; where it comes to their end, the whole part is searched. */
async function look(
  { store }: ServiceContext,
  { share, run, access, last }: SharedPart,
  search: Search,
  needle: string,
  candidates: Uint32Array,
): Promise<void> {
  const until = performance.now() + turnMs;
  for (let place = placeAfter(candidates, search.checked); place < candidates.length; place += 1) {
    const seq = candidates[place] ?? 0;
    const body = await store.entries.find(access, run.id, seq);
    const matches = body === null ? 0 : countMatches(readSharedEntry(body, share, null), needle);
    if (matches > 0) {
      search.seqs.push(seq);
      search.counts.push(matches);
    }
    search.checked = seq;
    if (performance.now() < until) continue;
    await new Promise(setImmediate);
    return;
  }
  search.checked = Math.max(search.checked, last);
}

/** The place of the first one above `seq`. */
function placeAfter(seqs: ArrayLike<number>, seq: number): number {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the page's first hit, or null while it is not known. */
function pageStart(seqs: number[], query: FindQuery, isKnown: boolean): number | null {
  if (query.around_seq === undefined) return query.skip;
  const place = placeAfter(seqs, query.around_seq - 1);
  if (place < seqs.length) return place;
  return isKnown ? 0 : null;
}

async function readHit(
  { store }: ServiceContext,
  { share, run, access }: SharedPart,
  seq: number,
  needle: string,
  matches: number,
): Promise<FindHit | null> {
  const body = await store.entries.find(access, run.id, seq);
  if (body === null) return null;
  const entry = readSharedEntry(body, share, null);
  const found = firstMatch(entry, needle);
  if (found === null) return null;
  const { snippet, start, length } = snippetOf(found);
  return {
    seq,
    message_type: entry.message_type,
    tool_name: entry.tool_name,
    field: found.path,
    snippet,
    snippet_start: start,
    snippet_length: length,
    matches,
  };
}

/** Equal parts, cut as the outline's. */
function bucketsOf(seqs: number[], wanted: number, { first, count }: { first: number; count: number }): number[] {
  const parts = Math.min(wanted, count);
  const found = new Array<number>(parts).fill(0);
  for (const seq of parts === 0 ? [] : seqs) {
    const part = Math.floor(((seq - first + 1) * parts - 1) / count);
    found[part] = (found[part] ?? 0) + 1;
  }
  return found;
}
