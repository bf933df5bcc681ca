import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Block, unpackBlock } from "./search-block.ts";
import { openIndexToRead } from "./search-file.ts";
import { holdsSlots } from "./search-grams.ts";
import { candidatesIn, groupBlocks, groupOf, isCandidate, sliceId } from "./search-slices.ts";
import { type BlockWords, noWords, unpackWords } from "./search-words.ts";

/** How often it is looked whether the file is still the one that is open. */
const lookMs = 1000;

/**
 * Consecutive entries of a run. `read` is null where the text that is looked for cannot occur in them; `readWords` gives null
 * where their words are not kept.
 */
export type IndexedEntries = {
  firstSeq: number;
  lastSeq: number;
  read: (() => Block) | null;
  readWords: () => BlockWords | null;
};

/** One state of the index. */
export type IndexView = {
  /** How many entries of the run are indexed. */
  indexed(runId: number): number;
  /** The same of all runs. */
  allIndexed(): Map<number, number>;
  /** Which blocks may hold all that these bits stand for. */
  filter(slots: readonly number[]): BlockFilter;
  /** What is indexed of a run from `first` to `last`, in order without a gap; the first and the last may reach further. */
  entries(runId: number, first: number, last: number, filter: BlockFilter): Iterable<IndexedEntries>;
  /** The runs of which a block may hold it; null where there are too many blocks to say. */
  runs(filter: BlockFilter): Set<number> | null;
};

export type BlockFilter = { slots: readonly number[]; may(blockId: number): boolean };

const candidatesMax = 5000;

type Statements = ReturnType<typeof prepare>;

/** The search index as its readers see it: where it is missing or damaged it has nothing. */
export class IndexReader {
  readonly #file: string;
  #open: { database: DatabaseSync; statements: Statements; inode: number } | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#file = file;
  }

  /** Gives one state of the index to `visit`; null where there is none, and once more where that state cannot be read to the end. */
  read<T>(visit: (view: IndexView | null) => T): T {
    const open = this.#current();
    if (open === null) return visit(null);
    try {
      open.database.exec("begin");
      const done = visit(viewOf(open.statements));
      open.database.exec("commit");
      return done;
    } catch {
      // Its writer mends it or makes it anew; until then everything is searched as it stands.
      this.close();
      return visit(null);
    }
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }

  #current() {
    const now = performance.now();
    if (now - this.#lookedAt < lookMs) return this.#open;
    this.#lookedAt = now;
    const inode = statSync(this.#file, { throwIfNoEntry: false })?.ino ?? null;
    if (this.#open !== null && this.#open.inode === inode) return this.#open;
    this.close();
    const database = inode === null ? null : openIndexToRead(this.#file);
    if (database !== null && inode !== null) this.#open = { database, inode, statements: prepare(database) };
    return this.#open;
  }
}

function prepare(database: DatabaseSync) {
  return {
    indexed: database.prepare("select indexed_seq from progress where run_id = ?"),
    allIndexed: database.prepare("select run_id, indexed_seq from progress"),
    blocks: database.prepare(`
      select id, first_seq, last_seq from blocks
      where run_id = ?
        and first_seq >= coalesce((select max(first_seq) from blocks where run_id = ? and first_seq <= ?), 0)
        and first_seq <= ?
      order by first_seq`),
    lastBlock: database.prepare("select coalesce(max(id), 0) as id from blocks"),
    runOf: database.prepare("select run_id from blocks where id = ?"),
    text: database.prepare("select text from texts where id = ?"),
    words: database.prepare("select words from words where id = ?"),
    grams: database.prepare("select bits from grams where id = ?"),
    slice: database.prepare("select bits from slices where id = ?"),
    lastSlice: database.prepare("select coalesce(max(id), -1) as id from slices"),
    tail: database.prepare("select first_seq, last_seq, bits from tails where run_id = ?"),
    tails: database.prepare("select run_id, bits from tails"),
    tailText: database.prepare("select text from tails where run_id = ?"),
  };
}

function viewOf(statements: Statements): IndexView {
  return {
    indexed: (runId) => Number(statements.indexed.get(runId)?.indexed_seq ?? 0),

    allIndexed: () =>
      new Map(statements.allIndexed.all().map(({ run_id, indexed_seq }) => [Number(run_id), Number(indexed_seq)])),

    filter: (slots) => blockFilter(statements, slots),

    *entries(runId, first, last, { slots, may }) {
      for (const row of statements.blocks.iterate(runId, runId, first, last)) {
        const id = Number(row.id);
        const read = may(id) ? () => unpackBlock(bytesOf(statements.text.get(id)?.text)) : null;
        const readWords = () => wordsOf(statements.words.get(id));
        yield { firstSeq: Number(row.first_seq), lastSeq: Number(row.last_seq), read, readWords };
      }
      const tail = statements.tail.get(runId);
      if (tail === undefined || Number(tail.last_seq) < first || Number(tail.first_seq) > last) return;
      const holds = holdsSlots(bytesOf(tail.bits), slots);
      const read = holds ? () => unpackBlock(bytesOf(statements.tailText.get(runId)?.text)) : null;
      yield { firstSeq: Number(tail.first_seq), lastSeq: Number(tail.last_seq), read, readWords: () => null };
    },

    runs({ slots, may }) {
      const runs = new Set<number>();
      let candidates = 0;
      const lastBlock = Number(statements.lastBlock.get()?.id);
      for (let id = 1; id <= lastBlock; id += 1) {
        if (!may(id)) continue;
        candidates += 1;
        if (candidates > candidatesMax) return null;
        const runId = statements.runOf.get(id)?.run_id;
        if (runId !== undefined) runs.add(Number(runId));
      }
      for (const { run_id, bits } of statements.tails.iterate()) {
        if (holdsSlots(bytesOf(bits), slots)) runs.add(Number(run_id));
      }
      return runs;
    },
  };
}

/** Looks at the turned bits of a group where it is full, else at the block's own; each is read once. */
function blockFilter(statements: Statements, slots: readonly number[]): BlockFilter {
  const groups = new Map<number, Uint8Array>();
  const lastSlice = Number(statements.lastSlice.get()?.id);
  const readGroup = (group: number): Uint8Array => {
    if (lastSlice >= sliceId(group, 0)) {
      return candidatesIn(slots, (row) => bytesOf(statements.slice.get(sliceId(group, row))?.bits));
    }
    const candidates = new Uint8Array(groupBlocks / 8);
    for (let place = 0; place < groupBlocks; place += 1) {
      const bits = statements.grams.get(group * groupBlocks + place + 1)?.bits;
      if (bits === undefined || !holdsSlots(bytesOf(bits), slots)) continue;
      candidates[place >>> 3] = (candidates[place >>> 3] ?? 0) | (1 << (place & 7));
    }
    return candidates;
  };
  return {
    slots,
    may(blockId) {
      const group = groupOf(blockId);
      let candidates = groups.get(group);
      if (candidates === undefined) {
        candidates = readGroup(group);
        groups.set(group, candidates);
      }
      return isCandidate(candidates, blockId);
    },
  };
}

function wordsOf(row: Record<string, unknown> | undefined): BlockWords | null {
  const stored = row === undefined ? noWords : bytesOf(row.words);
  return stored.length === 0 ? null : unpackWords(stored);
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("A row of the search index is missing");
}
