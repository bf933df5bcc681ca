import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { BodyReader } from "#lib/store/entries/body-reader.ts";
import { type Block, bytesInBlock } from "./block.ts";
import type { BlockFilter } from "./block-filter.ts";
import { phraseOf } from "./code-pattern.ts";
import type { IndexView } from "./index-reader.ts";
import { findWord, searchTextOf } from "./search-text.ts";

/** Where a search goes on: in this run, after this entry; 0 for all of them. */
export type SearchPosition = { runId: number; seq: number };

/**
 * Runs to search, in order, with their numbers of entries; words are folded (`foldCase`), at least one. `foundByPrompt`
 * are runs that are found whatever their entries contain. `from` null: all of them.
 */
export type WordSearch = {
  runIds: Float64Array;
  totals: Float64Array;
  foundByPrompt: Float64Array;
  words: string[];
  from: SearchPosition | null;
  skip: number;
  limit: number;
};

/** A run with its best entries, by seq; `matching` is null if not all of its entries were examined. */
export type FoundInRun = { runId: number; matching: number | null; seqs: number[] };

/**
 * Runs of the page, and their total number; null unless this call examined all of them. `behind` is how many entries are not
 * indexed. `next` is where the rest begins, null if nothing is left: every call makes progress, so repeating it ends.
 */
export type FoundInRuns = { found: FoundInRun[]; total: number | null; behind: number; next: SearchPosition | null };

const hitsMax = 3;
/** Blocks of a run read for its best entries. */
const blocksMax = 8;

/** Finds runs in which a single entry contains all words, or words that begin with them, and those found by their prompt. `until`: by performance.now(). */
export function searchRuns(
  view: IndexView | null,
  readBodies: BodyReader["read"],
  { runIds, totals, foundByPrompt, words, from, skip, limit }: WordSearch,
  until: number,
): FoundInRuns {
  const indexed = view?.allIndexed() ?? new Map<number, number>();
  const indexedOf = (at: number) => Math.min(indexed.get(runIds[at] ?? 0) ?? 0, totals[at] ?? 0);
  let behind = 0;
  for (const at of runIds.keys()) behind += (totals[at] ?? 0) - indexedOf(at);
  // The longest word is usually the rarest: search for it first.
  const wanted = [...words].sort((one, other) => other.length - one.length);
  const filter = view?.filterWords(wanted) ?? null;
  const holding = view === null || filter === null ? null : view.runs(filter);
  const search = { view, filter, readBodies, words: wanted, until };

  const found: FoundInRun[] = [];
  const isFoundByPrompt = new Set(foundByPrompt);
  let passed = 0;
  // A run may be gone: the next older one follows.
  const first = from === null ? 0 : runIds.findIndex((id) => id <= from.runId);
  const end = (next: SearchPosition | null): FoundInRuns => {
    const isWhole = next === null && from === null;
    return { found: found.slice(0, limit), total: isWhole ? passed + found.length : null, behind, next };
  };
  let examined = 0;
  for (let at = first === -1 ? runIds.length : first; at < runIds.length; at += 1) {
    const runId = runIds[at] ?? 0;
    const total = totals[at] ?? 0;
    const isRuledOut = total === 0 || (indexedOf(at) === total && holding !== null && !holding.has(runId));
    if (isRuledOut && !isFoundByPrompt.has(runId)) continue;
    // One run beyond the page shows that there are more.
    const isFull = passed + found.length > skip + limit;
    if (isFull || (performance.now() > until && examined > 0)) {
      return end({ runId: isFull ? (found.at(-1)?.runId ?? runId) : runId, seq: 0 });
    }
    const after = from !== null && from.runId === runId ? from.seq : 0;
    const one = searchRun(search, runId, {
      after,
      indexed: indexedOf(at),
      total,
      blocks: passed < skip ? 1 : blocksMax,
    });
    examined += 1;
    if (one.seqs.length === 0 && one.searchedTo < total && !isFoundByPrompt.has(runId))
      return end({ runId, seq: one.searchedTo });
    if (one.seqs.length === 0 && !isFoundByPrompt.has(runId)) continue;
    if (passed < skip) passed += 1;
    else found.push({ runId, matching: one.matching, seqs: one.seqs });
  }
  return found.length > limit ? end({ runId: found[limit]?.runId ?? 0, seq: 0 }) : end(null);
}

type Search = {
  view: IndexView | null;
  filter: BlockFilter | null;
  readBodies: BodyReader["read"];
  words: string[];
  until: number;
};

type Part = { after: number; indexed: number; total: number; blocks: number };

/** Searches the entries of a run after `after`: at least one piece, and then until time is up, or, after a hit, for `blocks` blocks. */
function searchRun(
  { view, filter, readBodies, words, until }: Search,
  runId: number,
  { after, indexed, total, blocks }: Part,
): { matching: number | null; seqs: number[]; searchedTo: number } {
  const hits: { seq: number; whole: number }[] = [];
  let readBlocks = 0;
  let searchedTo = after;
  let isStopped = false;
  const isLate = () => performance.now() > until && searchedTo > after;
  if (view !== null && filter !== null && indexed > after) {
    const phrases = words.map((word) => phraseOf(Buffer.from(word)));
    for (const { firstSeq, lastSeq, held } of view.entries(runId, after + 1, indexed, filter)) {
      if (held !== null) {
        if (isLate() || (hits.length > 0 && readBlocks >= blocks)) {
          isStopped = true;
          break;
        }
        if (phrases.every((phrase) => held.contains(phrase))) {
          readBlocks += 1;
          for (const { place, whole } of hitsIn(held.read(), words)) {
            if (firstSeq + place > after) hits.push({ seq: firstSeq + place, whole });
          }
        }
      }
      searchedTo = Math.min(Math.max(searchedTo, lastSeq), indexed);
    }
  }
  if (!isStopped) {
    for (const { seq, body } of readBodies(runId, Math.max(indexed, after) + 1, total)) {
      const whole = wholeWords(searchTextOf(fieldsOf(parseExactJson(body))), words);
      if (whole !== null) hits.push({ seq, whole });
      searchedTo = seq;
      isStopped = isLate() && seq < total;
      if (isStopped) break;
    }
  }
  // Entries that are missing count as searched; otherwise the search would never end.
  if (!isStopped) searchedTo = total;
  hits.sort((one, other) => other.whole - one.whole || one.seq - other.seq);
  return {
    matching: after === 0 && !isStopped ? hits.length : null,
    seqs: hits.slice(0, hitsMax).map(({ seq }) => seq),
    searchedTo,
  };
}

/** Entries of a block that contain all words, and how many of the words occur exactly. */
function* hitsIn(block: Block, words: readonly string[]): Generator<{ place: number; whole: number }> {
  const [rarest = ""] = words;
  const bytes = Buffer.from(rarest);
  for (let place = 0; place < block.ends.length; place += 1) {
    const from = place === 0 ? 0 : (block.ends[place - 1] ?? 0);
    const at = block.text.indexOf(bytes, from);
    if (at === -1) return;
    // The entry that contains it is the next one to examine.
    while (place < block.ends.length && at >= (block.ends[place] ?? 0)) place += 1;
    const whole = wholeWords(bytesInBlock(block, place).toString(), words);
    if (whole !== null) yield { place, whole };
  }
}

/** How many of the words occur exactly, or null if one of them begins no word of the text. */
function wholeWords(text: string, words: readonly string[]): number | null {
  let whole = 0;
  for (const word of words) {
    const found = findWord(text, word);
    if (found === null) return null;
    if (found.isWhole) whole += 1;
  }
  return whole;
}
