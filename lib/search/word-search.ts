import type { BodyReader } from "#lib/store/entries/body-reader.ts";
import { type Block, bytesInBlock } from "./block.ts";
import type { BlockFilter } from "./block-filter.ts";
import { phraseOf } from "./code-pattern.ts";
import type { IndexView } from "./index-reader.ts";
import { findWord, searchTextOf } from "./search-text.ts";

/** Runs to search, in order, with their numbers of entries; words are lower case, at least one. */
export type WordSearch = {
  runIds: Float64Array;
  totals: Float64Array;
  words: string[];
  skip: number;
  limit: number;
};

/** A run with its best entries, by seq; `matching` is null if not all of its entries were examined. */
export type FoundInRun = { runId: number; matching: number | null; seqs: number[] };

/**
 * Runs of the page, and their total number; null if not all were examined. `behind` is how many entries are not indexed;
 * `isComplete` is false if the page may lack a run.
 */
export type FoundInRuns = { found: FoundInRun[]; total: number | null; behind: number; isComplete: boolean };

const hitsMax = 3;
/** Blocks of a run read for its best entries. */
const blocksMax = 8;
/** Newest unindexed entries of a run that are read. */
const bodiesMax = 5000;

/** Finds runs in which a single entry contains all words, or words that begin with them. `until`: by performance.now(). */
export function searchRuns(
  view: IndexView | null,
  readBodies: BodyReader["read"],
  { runIds, totals, words, skip, limit }: WordSearch,
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
  let passed = 0;
  let isComplete = true;
  for (const [at, runId] of runIds.entries()) {
    const total = totals[at] ?? 0;
    if (indexedOf(at) === total && holding !== null && !holding.has(runId)) continue;
    // One run beyond the page shows that there are more.
    if (passed + found.length > skip + limit || performance.now() > until) {
      isComplete &&= passed + found.length >= skip + limit;
      return { found: found.slice(0, limit), total: null, behind, isComplete };
    }
    const one = searchRun(search, runId, indexedOf(at), total, passed < skip ? 1 : blocksMax);
    isComplete &&= one.isComplete;
    if (one.seqs.length === 0) continue;
    if (passed < skip) passed += 1;
    else found.push({ runId, matching: one.matching, seqs: one.seqs });
  }
  const total = isComplete ? passed + found.length : null;
  return { found: found.slice(0, limit), total, behind, isComplete };
}

type Search = {
  view: IndexView | null;
  filter: BlockFilter | null;
  readBodies: BodyReader["read"];
  words: string[];
  until: number;
};

function searchRun(
  { view, filter, readBodies, words, until }: Search,
  runId: number,
  indexed: number,
  total: number,
  blocks: number,
) {
  const hits: { seq: number; whole: number }[] = [];
  let readBlocks = 0;
  let isWhole = true;
  let isComplete = true;
  const isLate = () => performance.now() > until;
  if (view !== null && filter !== null && indexed > 0) {
    const phrases = words.map((word) => phraseOf(Buffer.from(word)));
    for (const { firstSeq, held } of view.entries(runId, 1, indexed, filter)) {
      if (held === null || (!isLate() && !phrases.every((phrase) => held.contains(phrase)))) continue;
      if (isLate() || (hits.length > 0 && readBlocks >= blocks)) {
        isWhole = false;
        isComplete &&= !isLate() || hits.length > 0;
        break;
      }
      readBlocks += 1;
      for (const { place, whole } of hitsIn(held.read(), words)) hits.push({ seq: firstSeq + place, whole });
    }
  }
  const first = Math.max(indexed + 1, total - bodiesMax + 1);
  if (first > indexed + 1) isComplete = false;
  if (isWhole || hits.length === 0) {
    for (const { seq, body } of readBodies(runId, first, total)) {
      const whole = wholeWords(searchTextOf(JSON.parse(body)), words);
      if (whole !== null) hits.push({ seq, whole });
      if (isLate()) {
        isComplete &&= seq === total;
        break;
      }
    }
  }
  hits.sort((one, other) => other.whole - one.whole || one.seq - other.seq);
  return {
    matching: isWhole && isComplete ? hits.length : null,
    seqs: hits.slice(0, hitsMax).map(({ seq }) => seq),
    isComplete,
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
