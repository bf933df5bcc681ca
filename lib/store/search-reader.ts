import { DatabaseSync } from "node:sqlite";
import { countMatches } from "#lib/contract/entry-text.ts";
import { entryId, seqOf } from "./entry-id.ts";
import { IndexReader } from "./search-index-reader.ts";

/**
 * The entries from `first` up to `upto` that hold a text, and how often each does; `indexed` is how many entries of the run the
 * index covers.
 */
export type Scanned = { first: number; upto: number; seqs: Uint32Array; counts: Uint32Array; indexed: number };

/** Entries to be looked through, both ends included; all of them are there. `needle` is lower-case, without NUL. */
export type ScanRange = { runId: number; needle: string; first: number; last: number };

/**
 * Looks through entries on connections of its own that only read. It takes as long as it takes, so it belongs in a thread of
 * its own. Whoever asks has made sure that the run may be seen.
 */
export type SearchReader = {
  /** Searches from `first` on until `last`, or until so many milliseconds have passed and at least one entry was searched. */
  scan(range: ScanRange, msMax: number): Scanned;
  close(): void;
};

/** Opens a reader on a store that is there. What its index does not have, or cannot give, is read entry by entry. */
export function openSearchReader(files: { storeFile: string; indexFile: string }): SearchReader {
  const database = new DatabaseSync(files.storeFile, { readOnly: true, timeout: 5000 });
  const bodies = database.prepare("select id, body from entries where id between ? and ? order by id");
  const index = new IndexReader(files.indexFile);

  return {
    scan({ runId, needle, first, last }, msMax) {
      const until = performance.now() + msMax;
      const hits = new Hits();
      let upto = first - 1;

      /** Reads the entries up to `end`; false where the time is over before. */
      const readBodies = (end: number): boolean => {
        for (const row of bodies.iterate(entryId(runId, upto + 1), entryId(runId, end))) {
          upto = seqOf(runId, Number(row.id));
          hits.add(upto, countMatches(JSON.parse(String(row.body)), needle));
          if (performance.now() > until) return upto === last;
        }
        return true;
      };

      const indexed = index.scan({ runId, needle, first, last }, (block) => {
        if (block.firstSeq > upto + 1 && !readBodies(block.firstSeq - 1)) return false;
        if (block.lastSeq <= upto) return true;
        block.count(upto + 1, last, (seq, count) => hits.add(seq, count));
        upto = Math.min(block.lastSeq, last);
        return performance.now() <= until;
      });
      if (upto < last && performance.now() <= until) readBodies(last);
      return { first, upto, ...hits.arrays(), indexed };
    },
    close() {
      index.close();
      database.close();
    },
  };
}

class Hits {
  readonly #seqs: number[] = [];
  readonly #counts: number[] = [];

  add(seq: number, count: number): void {
    if (count === 0) return;
    this.#seqs.push(seq);
    this.#counts.push(count);
  }

  arrays(): { seqs: Uint32Array; counts: Uint32Array } {
    return { seqs: Uint32Array.from(this.#seqs), counts: Uint32Array.from(this.#counts) };
  }
}
