import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Lru } from "#lib/lru.ts";
import { type Block, countInBlock, type Part, unpackBlock } from "./block.ts";
import { type BlockCount, type BlockFilter, blockFilter, type GroupHitsCache } from "./block-filter.ts";
import { type CodedBlock, isCoded, textOfCode, unpackCode } from "./code.ts";
import { countInCode } from "./code-find.ts";
import type { Phrase } from "./code-pattern.ts";
import { openIndexToRead } from "./index-file.ts";
import { bytesOf, type IndexRows, indexRows } from "./index-rows.ts";
import { queryOfPhrase, queryOfWords } from "./vocabulary-find.ts";

/** How often to check whether the file is still the open one. */
const lookMs = 1000;

/** Consecutive entries of a run. `held` is null if they cannot contain the text. */
export type IndexedEntries = { firstSeq: number; lastSeq: number; held: EntryTexts | null };

/** Texts of consecutive entries. */
export type EntryTexts = {
  read(): Block;
  /** Occurrences of the filter's text; null if only reading can tell. */
  knownCount(): BlockCount | null;
  /** Whether an entry contains the text, which costs less than {@link read} where the text is stored in codes. */
  contains(text: Phrase): boolean;
  /** Calls `hit` for each entry of the range that contains the text, in order, with the number of occurrences. */
  count(phrase: Phrase, part: Part, hit: (index: number, count: number) => void): void;
};

/** A snapshot of the index. */
export type IndexView = {
  /** Number of the run's entries that are indexed. */
  indexed(runId: number): number;
  /** The same over all runs. */
  allIndexed(): Map<number, number>;
  /** Filter for the blocks in which an entry may contain all these words (folded). */
  filterWords(words: readonly string[]): BlockFilter;
  /** Filter for the blocks that may contain a text (folded). */
  filterText(text: Phrase): BlockFilter;
  /** Indexed entries of a run from `first` to `last`, in order without gaps; those at both ends may extend beyond. */
  entries(runId: number, first: number, last: number, filter: BlockFilter): Iterable<IndexedEntries>;
  /** Runs with a block that may match; null if there are too many blocks to say. */
  runs(filter: BlockFilter): Set<number> | null;
};

const candidatesMax = 5000;

/** Of texts that searches have read: who types a word searches the same blocks again and again. */
const textBytesMax = 16 * 1024 * 1024;
type BlockTexts = Lru<number, Block>;

/** `last` is the last text searched. */
type Open = {
  database: DatabaseSync;
  rows: IndexRows;
  inode: number;
  last: { text: string; cache: GroupHitsCache };
  texts: BlockTexts;
};

/** The search index for its readers: a missing or damaged one is empty. */
export class IndexReader {
  readonly #file: string;
  readonly #onFailure: (error: unknown) => void;
  #open: Open | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** `onFailure` is called for each snapshot that could not be read. */
  constructor(file: string, onFailure: (error: unknown) => void) {
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /**
   * Passes a snapshot of the index to `visit`, or null if there is none. If reading the snapshot fails, calls `visit` again with
   * null.
   */
  read<T>(visit: (view: IndexView | null) => T): T {
    try {
      const open = this.#current();
      if (open !== null) {
        open.database.exec("begin");
        const done = visit(viewOf(open));
        open.database.exec("commit");
        return done;
      }
    } catch (error) {
      // Its writer rebuilds one that it finds damaged, but does not read all of it again. Meanwhile everything is searched directly.
      this.close();
      this.#onFailure(error);
    }
    return visit(null);
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }

  #current(): Open | null {
    const now = performance.now();
    if (now - this.#lookedAt < lookMs) return this.#open;
    this.#lookedAt = now;
    const inode = statSync(this.#file, { throwIfNoEntry: false })?.ino ?? null;
    if (this.#open !== null && this.#open.inode === inode) return this.#open;
    this.close();
    const database = inode === null ? null : openIndexToRead(this.#file);
    if (database !== null && inode !== null)
      this.#open = {
        ...{ database, inode, rows: indexRows(database), last: { text: "", cache: new Map() } },
        texts: new Lru({ weight: textBytesMax, weigh: ({ text }) => text.length }),
      };
    return this.#open;
  }
}

function viewOf(open: Open): IndexView {
  const { rows, texts } = open;
  return {
    indexed: (runId) => Number(rows.indexed.get(runId)?.indexed_seq ?? 0),

    allIndexed: () =>
      new Map(rows.allIndexed.all().map(({ run_id, indexed_seq }) => [Number(run_id), Number(indexed_seq)])),

    filterWords: (words) => blockFilter(rows, queryOfWords(words), new Map()),

    filterText(phrase) {
      const text = Buffer.from(phrase.bytes).toString("latin1");
      if (open.last.text !== text) open.last = { text, cache: new Map() };
      return blockFilter(rows, queryOfPhrase(phrase), open.last.cache);
    },

    *entries(runId, first, last, { mayContain, count }) {
      for (const row of rows.blocks.iterate({ run: runId, first, last })) {
        const id = Number(row.id);
        const stored = () => bytesOf(rows.text.get(id)?.text);
        const held = mayContain(id) ? entryTexts(stored, () => count(id), { id, texts }) : null;
        yield { firstSeq: Number(row.first_seq), lastSeq: Number(row.last_seq), held };
      }
      const tail = rows.tail.get(runId);
      if (tail === undefined || Number(tail.last_seq) < first || Number(tail.first_seq) > last) return;
      const held = entryTexts(
        () => bytesOf(tail.text),
        () => null,
      );
      yield { firstSeq: Number(tail.first_seq), lastSeq: Number(tail.last_seq), held };
    },

    runs({ mayContain }) {
      const runs = new Set<number>();
      let candidates = 0;
      const lastBlock = Number(rows.lastBlock.get()?.id);
      for (let id = 1; id <= lastBlock; id += 1) {
        if (!mayContain(id)) continue;
        candidates += 1;
        if (candidates > candidatesMax) return null;
        const runId = rows.runOf.get(id)?.run_id;
        if (runId !== undefined) runs.add(Number(runId));
      }
      for (const { run_id } of rows.tails.iterate()) runs.add(Number(run_id));
      return runs;
    },
  };
}

/** Stored entries, in either form. Texts that are read stay in the cache: the text of a block never changes. */
function entryTexts(
  stored: () => Uint8Array,
  knownCount: EntryTexts["knownCount"],
  cached?: { id: number; texts: BlockTexts },
): EntryTexts {
  let opened: CodedBlock | Block | undefined;
  const open = () => {
    opened ??= cached?.texts.get(cached.id);
    if (opened !== undefined) return opened;
    const bytes = stored();
    opened = isCoded(bytes) ? unpackCode(bytes) : unpackBlock(bytes);
    return opened;
  };
  return {
    read() {
      const found = open();
      if ("text" in found) return found;
      const block = textOfCode(found);
      cached?.texts.set(cached.id, block);
      return block;
    },
    knownCount,
    contains(text) {
      const found = open();
      if ("text" in found) return found.text.indexOf(text.bytes) !== -1;
      let contains = false;
      countInCode(found, text, { from: 0, to: found.ends.length - 1 }, () => {
        contains = true;
      });
      return contains;
    },
    count(text, part, hit) {
      const found = open();
      if ("text" in found) countInBlock(found, text.bytes, part, hit);
      else countInCode(found, text, part, hit);
    },
  };
}
