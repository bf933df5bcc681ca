import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { countInBlock, unpackBlock } from "./search-block.ts";
import { openIndexToRead } from "./search-file.ts";
import { holdsSlots, slotsOf } from "./search-grams.ts";
import { candidatesIn, groupOf, isCandidate, sliceId } from "./search-slices.ts";

/** How often it is looked whether the file is still the one that is open. */
const lookMs = 1000;

/** Consecutive entries of a run. `count` calls `hit` for each from seq `first` to `last` that holds the text. */
export type ScannedBlock = {
  firstSeq: number;
  lastSeq: number;
  count(first: number, last: number, hit: (seq: number, count: number) => void): void;
};

type Statements = Record<
  "progress" | "blocks" | "text" | "grams" | "slice" | "sealed" | "tail" | "tailText",
  StatementSync
>;

/** The search index as its readers see it: whatever is the matter with it, it has nothing then. */
export class IndexReader {
  readonly #file: string;
  #open: { database: DatabaseSync; statements: Statements; inode: number } | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Gives the blocks that have entries from `first` to `last`, in order, until `visit` returns false. A block in which the text
   * cannot occur counts without being read. All are of one state of the index. Returns how many entries of the run it covers.
   */
  scan(
    { runId, needle, first, last }: { runId: number; needle: string; first: number; last: number },
    visit: (block: ScannedBlock) => boolean,
  ): number {
    return this.#reading(0, (statements) => {
      const indexed = Number(statements.progress.get(runId)?.indexed_seq ?? 0);
      if (indexed < first) return indexed;
      const bytes = Buffer.from(needle);
      const slots = slotsOf(bytes);
      const may = candidates(statements, slots);
      const blockOf = (firstSeq: number, lastSeq: number, read: (() => unknown) | null): ScannedBlock => ({
        firstSeq,
        lastSeq,
        count(from, to, hit) {
          const stored = read === null ? null : read();
          if (!(stored instanceof Uint8Array)) return;
          const range = { from: Math.max(from - firstSeq, 0), to: Math.min(to, lastSeq) - firstSeq };
          countInBlock(unpackBlock(stored), bytes, range, (index, count) => hit(firstSeq + index, count));
        },
      });
      for (const row of statements.blocks.iterate(runId, runId, first, last)) {
        const id = Number(row.id);
        const read = may(id) ? () => statements.text.get(id)?.text : null;
        if (!visit(blockOf(Number(row.first_seq), Number(row.last_seq), read))) return indexed;
      }
      const tail = statements.tail.get(runId);
      if (tail !== undefined && Number(tail.last_seq) >= first && Number(tail.first_seq) <= last) {
        const holds = tail.bits instanceof Uint8Array && holdsSlots(tail.bits, slots);
        const read = holds ? () => statements.tailText.get(runId)?.text : null;
        visit(blockOf(Number(tail.first_seq), Number(tail.last_seq), read));
      }
      return indexed;
    });
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }

  /** Reads one state of the index; `without` where there is none. */
  #reading<T>(without: T, read: (statements: Statements) => T): T {
    const open = this.#current();
    if (open === null) return without;
    try {
      open.database.exec("begin");
      const done = read(open.statements);
      open.database.exec("commit");
      return done;
    } catch {
      // Damaged or just being made anew: its writer mends it, and until then everything is searched as it stands.
      this.close();
      return without;
    }
  }

  #current() {
    const now = performance.now();
    if (now - this.#lookedAt < lookMs) return this.#open;
    this.#lookedAt = now;
    const inode = statSync(this.#file, { throwIfNoEntry: false })?.ino ?? null;
    if (this.#open !== null && this.#open.inode === inode) return this.#open;
    this.close();
    const database = inode === null ? null : openIndexToRead(this.#file);
    if (database !== null && inode !== null) {
      this.#open = { database, inode, statements: prepare(database) };
    }
    return this.#open;
  }
}

function prepare(database: DatabaseSync): Statements {
  return {
    progress: database.prepare("select indexed_seq from progress where run_id = ?"),
    blocks: database.prepare(`
      select id, first_seq, last_seq from blocks
      where run_id = ?
        and first_seq >= coalesce((select max(first_seq) from blocks where run_id = ? and first_seq <= ?), 0)
        and first_seq <= ?
      order by first_seq`),
    text: database.prepare("select text from texts where id = ?"),
    grams: database.prepare("select bits from grams where id = ?"),
    slice: database.prepare("select bits from slices where id = ?"),
    sealed: database.prepare("select coalesce(max(id), -1) as id from slices"),
    tail: database.prepare("select first_seq, last_seq, bits from tails where run_id = ?"),
    tailText: database.prepare("select text from tails where run_id = ?"),
  };
}

/** Whether a block may hold what the bits stand for: by its group where that is full, else by its own bits. */
function candidates(statements: Statements, slots: readonly number[]): (blockId: number) => boolean {
  const groups = new Map<number, Uint8Array>();
  const sealedRow = Number(statements.sealed.get()?.id ?? -1);
  const bytesOf = (row: Record<string, unknown> | undefined) => (row?.bits instanceof Uint8Array ? row.bits : null);
  return (blockId) => {
    const group = groupOf(blockId);
    if (sealedRow < sliceId(group, 0)) {
      const bits = bytesOf(statements.grams.get(blockId));
      return bits === null || holdsSlots(bits, slots);
    }
    let found = groups.get(group);
    if (found === undefined) {
      found = candidatesIn(slots, (row) => bytesOf(statements.slice.get(sliceId(group, row))));
      groups.set(group, found);
    }
    return isCandidate(found, blockId);
  };
}
