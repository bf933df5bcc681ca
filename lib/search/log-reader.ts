import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { countMatches } from "#lib/entry/entry-text.ts";
import { type BodyReader, openBodyReader } from "#lib/store/entries/body-reader.ts";
import { phraseOf } from "./code-pattern.ts";
import { IndexReader } from "./index-reader.ts";
import { type FoundInRuns, searchRuns, type WordSearch } from "./word-search.ts";

/**
 * Entries from `first` up to `upto` that contain a text, and the total number of occurrences; `indexed` is how many entries of
 * the run the index covers.
 */
export type Scanned = { first: number; upto: number; seqs: Uint32Array; matches: number; indexed: number };

/** Entries to search, both ends inclusive; all of them exist. `needle` is folded, without NUL. */
export type ScanRange = { runId: number; needle: string; first: number; last: number };

/**
 * Searches entries on read-only connections of its own. It may take long, so it belongs in its own thread. The caller must have
 * checked that the runs are visible.
 */
export type SearchReader = {
  /** Searches from `first` to `last`, or until `msMax` has passed and at least one entry was searched. */
  scan(range: ScanRange, msMax: number): Scanned;
  /** Searches runs in the given order until the page is full, or until `msMax` has passed. */
  search(search: WordSearch, msMax: number): FoundInRuns;
  /** The entry as JSON text, or null. */
  find(runId: number, seq: number): string | null;
  close(): void;
};

/**
 * Opens a reader on an existing store. Entries the index lacks, or cannot return, are read one by one; `onIndexFailure` is called
 * if it cannot.
 */
export function openSearchReader(
  files: { storeFile: string; indexFile: string },
  onIndexFailure: (error: unknown) => void,
): SearchReader {
  const bodies = openBodyReader(files.storeFile);
  const index = new IndexReader(files.indexFile, onIndexFailure);
  return {
    scan: (range, msMax) => scan(index, bodies.read, range, performance.now() + msMax),
    search: (search, msMax) => index.read((view) => searchRuns(view, bodies.read, search, performance.now() + msMax)),
    find(runId, seq) {
      for (const { body } of bodies.read(runId, seq, seq)) return body;
      return null;
    },
    close() {
      index.close();
      bodies.close();
    },
  };
}

function scan(index: IndexReader, readBodies: BodyReader["read"], range: ScanRange, until: number): Scanned {
  const { runId, needle, first, last } = range;
  const phrase = phraseOf(Buffer.from(needle));
  const seqs: number[] = [];
  let matches = 0;
  let upto = first - 1;
  const add = (seq: number, count: number) => {
    if (count === 0) return;
    seqs.push(seq);
    matches += count;
  };
  const addBits = (seq: number, bits: number) => {
    for (let left = bits; left !== 0; left &= left - 1) seqs.push(seq + 31 - Math.clz32(left & -left));
  };
  const isLate = () => upto >= first && performance.now() > until;
  const scanBodies = (end: number) => {
    for (const { seq, body } of readBodies(runId, upto + 1, end)) {
      add(seq, countMatches(fieldsOf(parseExactJson(body)), needle));
      upto = seq;
      if (isLate()) return;
    }
  };

  const indexed = index.read((view) => {
    const covered = view?.indexed(runId) ?? 0;
    if (view === null || covered <= upto) return covered;
    for (const { firstSeq, lastSeq, held } of view.entries(runId, upto + 1, last, view.filterText(phrase))) {
      if (lastSeq <= upto) continue;
      // There are no gaps; if there were one, its entries would be read directly.
      if (firstSeq > upto + 1) scanBodies(Math.min(firstSeq - 1, last));
      if (isLate() || firstSeq > upto + 1) break;
      const from = upto + 1;
      const to = Math.min(lastSeq, last);
      const isWhole = from === firstSeq && to === lastSeq;
      const counted = isWhole ? (held?.knownCount() ?? null) : null;
      if (counted !== null) {
        addBits(firstSeq, counted.low);
        addBits(firstSeq + 32, counted.high);
        matches += counted.matches;
      } else {
        const part = { from: from - firstSeq, to: to - firstSeq };
        held?.count(phrase, part, (place, count) => add(firstSeq + place, count));
      }
      upto = Math.max(upto, to);
      if (isLate()) break;
    }
    return covered;
  });
  if (upto < last && !isLate()) scanBodies(last);
  return { first, upto, seqs: Uint32Array.from(seqs), matches, indexed };
}
