import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { EntrySource, IndexedRun } from "#lib/store/entries/entry-source.ts";
import { blockOf } from "./block.ts";
import { type IndexedBlock, type IndexProgress, IndexTakenError, type SearchIndex } from "./index-writer.ts";
import { searchTextOf } from "./search-text.ts";

/** Size of a block: a smaller one means more blocks to read for a rare word, a larger one more text to read per hit. */
const blockEntries = 64;
const blockBytes = 256 * 1024;
/** Bytes read of one run at a time, and of all runs per round. */
const readBytes = 2 * 1024 * 1024;
const roundBytes = 8 * 1024 * 1024;
/** How long new entries of a live run may wait to be written, and how long a run is quiet before its last block is closed. */
const tailMs = 800;
const quietMs = 60_000;
/** Interval between checks of all runs: a run may grow and end between two checks of live runs. */
const surveyMs = 10_000;
const leaseMs = 10_000;
const giveBackMs = 1000;
/** Lagging runs handled per round. */
const lookedAtMax = 200;

/** A block that is not full yet. */
type OpenBlock = {
  firstSeq: number;
  lastSeq: number;
  lastAt: number;
  texts: Uint8Array[];
  bytes: number;
  /** Arrival of the oldest entry that is not in the file; null if all are. */
  waitsSince: number | null;
  grewAt: number;
};

/** Dependencies of the indexer; `owner` identifies it among those of other engines. */
export type IndexerParts = { source: EntrySource; index: SearchIndex; owner: string; now: () => number };

/**
 * Writes the search index asynchronously: every entry once, in blocks per run. All its state can be read from the file again,
 * so after an error a new one continues where the file ends.
 */
export class SearchIndexer {
  readonly #parts: IndexerParts;
  /** How far each run has been read. */
  readonly #read = new Map<number, IndexProgress>();
  readonly #open = new Map<number, OpenBlock>();
  #full: IndexedBlock[] = [];
  #version = -1;
  #surveyedAt = Number.NEGATIVE_INFINITY;
  #changedSince = true;
  #newest = 0;
  #claimedUntil = Number.NEGATIVE_INFINITY;
  /** Runs that had unread entries when last checked. */
  #behind: number[] = [];
  /** True if full groups of blocks may lack their tokens. */
  #lacksTokens = true;
  /** True if the file may still contain removed data. */
  #hasSpace = false;
  #givenBackAt = Number.NEGATIVE_INFINITY;
  /** Bytes of new entries that the last check of the store read. */
  #bytesRead = 0;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /**
   * One check of the store, and a bounded amount of work. True if there is more to do at once. Throws {@link IndexTakenError}.
   */
  step(): boolean {
    const { source, index, owner, now } = this.#parts;
    const isNew = this.#claim();
    const version = source.version();
    const changed = version !== this.#version;
    this.#version = version;
    this.#changedSince ||= changed;
    if (isNew) this.#checkAll();
    this.#bytesRead = 0;
    if (changed || this.#behind.length > 0 || this.#isSurveyDue) this.#behind = this.#catchUp(this.#runsToRead());
    this.#closeQuiet();
    this.#write(now());
    if (this.#behind.length > 0) return true;
    this.#lacksTokens = this.#lacksTokens && index.collect(owner);
    if (!this.#lacksTokens) this.#giveBack();
    return this.#lacksTokens;
  }

  /** Returns the space of removed data to the disk; if a search prevents that, tries again a second later. */
  #giveBack(): void {
    const { index, now } = this.#parts;
    if (!this.#hasSpace || now() < this.#givenBackAt + giveBackMs) return;
    this.#givenBackAt = now();
    this.#hasSpace = !index.giveBack();
  }

  /** Writes what was read and is pending. */
  finish(): void {
    this.#write(Number.POSITIVE_INFINITY);
  }

  /** True if this indexer has just become the writer. */
  #claim(): boolean {
    const { index, owner, now } = this.#parts;
    const isNew = this.#claimedUntil === Number.NEGATIVE_INFINITY;
    if (now() < this.#claimedUntil - leaseMs / 2) return false;
    const claimed = index.claim(owner, leaseMs);
    // If another indexer wrote in the meantime, the state here does not match the file.
    if (claimed === "refused" || (claimed === "new" && !isNew)) throw new IndexTakenError();
    this.#claimedUntil = now() + leaseMs;
    return isNew;
  }

  /** Loads the state from the file. Runs whose indexed entries are not those of this store (a restored backup) are indexed anew. */
  #checkAll(): void {
    const { source, index, owner } = this.#parts;
    const totals = new Map(source.runs().map((run) => [run.id, run.totalLogs]));
    const gone: number[] = [];
    for (const progress of index.progress()) {
      const { runId, indexedSeq, lastAt } = progress;
      if ((totals.get(runId) ?? 0) >= indexedSeq && source.createdAt(runId, indexedSeq) === lastAt) {
        this.#read.set(runId, progress);
      } else gone.push(runId);
    }
    index.forget(owner, gone);
    // Includes what an earlier process had no time for.
    this.#hasSpace = true;
    for (const { runId, firstSeq, lastSeq, texts } of index.tails()) {
      const bytes = texts.reduce((sum, { length }) => sum + length, 0);
      const lastAt = this.#read.get(runId)?.lastAt ?? 0;
      this.#open.set(runId, { ...newBlock(firstSeq, this.#parts.now()), lastSeq, lastAt, texts, bytes });
    }
  }

  get #isSurveyDue(): boolean {
    return this.#changedSince && this.#parts.now() - this.#surveyedAt >= surveyMs;
  }

  /** First the runs that somebody may be watching grow, then the newest. */
  #runsToRead(): IndexedRun[] {
    const { source, now } = this.#parts;
    const runs = new Map<number, IndexedRun>();
    const add = (run: IndexedRun) => void runs.set(run.id, run);
    if (this.#isSurveyDue) {
      const all = source.runs();
      this.#forgetDeleted(new Set(all.map(({ id }) => id)));
      all.forEach(add);
      this.#surveyedAt = now();
      this.#changedSince = false;
    } else {
      source.recentRuns(this.#newest).forEach(add);
      // One that was live when last read may have ended with one more entry.
      for (const runId of [...this.#open.keys(), ...this.#behind.slice(0, lookedAtMax)]) {
        if (runs.has(runId)) continue;
        const run = source.findRun(runId);
        // Deleted: the next survey removes what was read of it.
        if (run === null) this.#behind = this.#behind.filter((id) => id !== runId);
        else runs.set(runId, run);
      }
    }
    for (const id of runs.keys()) this.#newest = Math.max(this.#newest, id);
    return [...runs.values()].sort((one, other) => Number(other.isLive) - Number(one.isLive) || other.id - one.id);
  }

  /** Removes deleted runs from the index, and drops what was read of them and not yet written. */
  #forgetDeleted(runIds: ReadonlySet<number>): void {
    this.#behind = this.#behind.filter((id) => runIds.has(id));
    const gone = [...this.#read.keys()].filter((id) => !runIds.has(id));
    if (gone.length === 0) return;
    this.#parts.index.forget(this.#parts.owner, gone);
    for (const id of gone) {
      this.#read.delete(id);
      this.#open.delete(id);
    }
    this.#full = this.#full.filter(({ runId }) => runIds.has(runId));
    this.#lacksTokens = true;
    this.#hasSpace = true;
  }

  /** Runs with unread entries; looks no further than one round needs. */
  #catchUp(runs: readonly IndexedRun[]): number[] {
    const left = new Set(this.#behind);
    for (const run of runs) {
      const readOf = () => this.#read.get(run.id)?.indexedSeq ?? 0;
      const isDue = readOf() < run.totalLogs && this.#bytesRead < roundBytes;
      // A run whose next entry is not there waits for the next survey.
      const isStuck = isDue && this.#readSome(run, readOf() + 1) === 0;
      if (readOf() < run.totalLogs && !isStuck) left.add(run.id);
      else {
        left.delete(run.id);
        if (!run.isLive) this.#close(run.id);
      }
    }
    return [...left].sort((one, other) => other - one);
  }

  /** Returns the number of entries read. */
  #readSome(run: IndexedRun, from: number): number {
    const entries = this.#parts.source.read(run.id, from, run.totalLogs, readBytes);
    for (const { seq, createdAt, body } of entries) {
      this.#bytesRead += body.length;
      this.#add(run.id, seq, createdAt, textOf(body));
    }
    return entries.length;
  }

  #add(runId: number, seq: number, createdAt: number, text: Uint8Array): void {
    const now = this.#parts.now();
    const earlier = this.#open.get(runId);
    if (earlier !== undefined && earlier.bytes + text.length > blockBytes) this.#close(runId);
    const open = this.#open.get(runId) ?? newBlock(seq, now);
    this.#open.set(runId, open);
    open.texts.push(text);
    open.bytes += text.length;
    open.lastSeq = seq;
    open.lastAt = createdAt;
    open.grewAt = now;
    open.waitsSince ??= now;
    this.#read.set(runId, { runId, indexedSeq: seq, lastAt: createdAt });
    if (open.texts.length >= blockEntries || open.bytes >= blockBytes) this.#close(runId);
  }

  /** Closes the run's block. */
  #close(runId: number): void {
    const open = this.#open.get(runId);
    if (open === undefined) return;
    this.#full.push(indexed(runId, open, false));
    this.#open.delete(runId);
  }

  #closeQuiet(): void {
    const now = this.#parts.now();
    for (const [runId, { grewAt }] of this.#open) if (now - grewAt >= quietMs) this.#close(runId);
  }

  #write(now: number): void {
    const due = [...this.#open].filter(([, { waitsSince }]) => waitsSince !== null && now - waitsSince >= tailMs);
    const blocks = [...this.#full, ...due.map(([runId, open]) => indexed(runId, open, true))];
    if (blocks.length === 0) return;
    this.#parts.index.write(this.#parts.owner, blocks);
    this.#lacksTokens ||= this.#full.length > 0;
    this.#full = [];
    for (const [, open] of due) open.waitsSince = null;
  }
}

/** Search text of a stored entry, in UTF-8. */
function textOf(body: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = body;
  return Buffer.from(searchTextOf(fieldsOf(parseExactJson(Buffer.from(buffer, byteOffset, byteLength).toString()))));
}

function newBlock(seq: number, now: number): OpenBlock {
  return { firstSeq: seq, lastSeq: seq - 1, lastAt: 0, texts: [], bytes: 0, waitsSince: null, grewAt: now };
}

function indexed(runId: number, open: OpenBlock, isOpen: boolean): IndexedBlock {
  const { firstSeq, lastSeq, lastAt, texts } = open;
  return { runId, firstSeq, lastSeq, lastAt, isOpen, block: blockOf(texts) };
}
