import { DatabaseSync } from "node:sqlite";
import { countMatches } from "#lib/contract/entry-text.ts";
import { entryId, seqOf } from "./entry-id.ts";

/** The entries from `first` up to `upto` that hold a text, and how often each does. */
export type Scanned = { first: number; upto: number; seqs: Uint32Array; counts: Uint32Array };

/** Entries to be looked through, both ends included; all of them are there. */
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

/** Opens a reader on a store that is there. */
export function openSearchReader({ storeFile }: { storeFile: string }): SearchReader {
  const database = new DatabaseSync(storeFile, { readOnly: true, timeout: 5000 });
  const bodies = database.prepare("select id, body from entries where id between ? and ? order by id");

  return {
    scan({ runId, needle, first, last }, msMax) {
      const until = performance.now() + msMax;
      const seqs: number[] = [];
      const counts: number[] = [];
      let upto = first - 1;
      for (const row of bodies.iterate(entryId(runId, first), entryId(runId, last))) {
        upto = seqOf(runId, Number(row.id));
        const count = countMatches(JSON.parse(String(row.body)), needle);
        if (count > 0) {
          seqs.push(upto);
          counts.push(count);
        }
        if (performance.now() > until) break;
      }
      return { first, upto, seqs: Uint32Array.from(seqs), counts: Uint32Array.from(counts) };
    },
    close: () => database.close(),
  };
}
