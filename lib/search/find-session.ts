import type { LogScanner } from "./find-threads.ts";
import type { Scanned } from "./log-reader.ts";

/** How many entries are searched at once: few at first, so that the first hit comes soon. */
const portionMin = 512;
const portionMax = 131_072;
/** Who waits to see what has been found waits for a thread that is through with its portion. */
const portionMs = 25;
const shortRun = 4096;
/** How long a search goes on when nobody waits for it any more: who types asks for something else with every letter. */
const forgottenMs = 1500;
/** Pieces that are shorter are joined, so that a run that grows entry by entry does not leave one for each. */
const pieceEntries = 8192;

/** What gives ranges of entries searched. */
export type RangeScanner = Pick<LogScanner, "atOnce" | "scan">;

/** A run from entry `first` on, as its scanner sees it: as it is stored, or as a link shows it. */
export type SearchedLog = { runId: number; first: number; scanner: RangeScanner };

/** When less than everything will do. */
export type Enough = { ms: number; isKnown: () => boolean };

/** Consecutive hits: of all that were searched from the first one on without a gap. */
export type FoundHits = { skip: number | null; seqs: number[] };

/**
 * The search for one text in one log. What was searched is kept as pieces, and what is asked next is searched first; a run that
 * grows has only its new entries searched.
 */
export class FindSession {
  readonly needle: string;
  readonly #log: SearchedLog;
  readonly #first: number;
  /** In order, none overlapping another. */
  #pieces: Scanned[] = [];
  readonly #underway = new Set<{ first: number; last: number }>();
  readonly #waiting = new Set<() => void>();
  #last = 0;
  #near = 0;
  #indexed = 0;
  #portion = portionMin;
  #asking = 0;
  #askedAt = 0;
  #failure: Error | null = null;

  constructor(log: SearchedLog, needle: string) {
    this.#log = log;
    this.#first = log.first;
    this.needle = needle;
  }

  /**
   * Resolves when the entries up to `last` have been searched, or after `waitMs`, or when the signal is aborted; after `enough.ms`
   * already where `enough.isKnown` says that what is there will do. What stands at or after `near` is searched first. Throws where
   * the store cannot be read.
   */
  async search(last: number, near: number, waitMs: number, signal: AbortSignal, enough?: Enough): Promise<void> {
    this.#last = Math.max(this.#last, last);
    this.#near = near;
    this.#failure = null;
    this.#asking += 1;
    try {
      this.#work();
      const begun = performance.now();
      while (!this.isSearched(last) && !signal.aborted) {
        const dueMs = enough?.isKnown() ? Math.min(enough.ms, waitMs) : waitMs;
        const left = begun + dueMs - performance.now();
        if (left <= 0) break;
        await this.#change(left, signal);
        if (this.#failure !== null) throw this.#failure;
      }
    } finally {
      this.#asking -= 1;
      this.#askedAt = Date.now();
    }
  }

  isSearched(last: number): boolean {
    return this.searchedUpTo >= last;
  }

  /** Up to which entry all have been searched. */
  get searchedUpTo(): number {
    return this.#spanFrom(this.#first);
  }

  /**
   * Of the entries that were searched up to `last`: how many these are, how many of them hold the text, and how often it occurs.
   * `last` is {@link searchedUpTo}, or infinity for all that is known.
   */
  figures(last: number): { searched: number; entries: number; matches: number } {
    const figures = { searched: 0, entries: 0, matches: 0 };
    for (const { first, upto, seqs, matches } of this.#pieces) {
      if (first > last) break;
      figures.searched += upto - first + 1;
      figures.entries += seqs.length;
      figures.matches += matches;
    }
    return figures;
  }

  /** Hits by how many stand before them. */
  hitsAfter(skip: number, limit: number, last: number): FoundHits {
    return this.#take(this.#first, skip, limit, last);
  }

  /** Hits from the first one at or after an entry; where there is none, from the first of all. */
  hitsAround(seq: number, limit: number, last: number): FoundHits {
    const from = Math.max(seq, this.#first);
    const there = from > last ? null : this.#take(from, 0, limit, last);
    if (there !== null && (there.seqs.length > 0 || this.#spanFrom(from) < last)) return there;
    return this.#take(this.#first, 0, limit, last);
  }

  /** How many hits each of `count` equal parts of the entries up to `last` has; parts as the outline cuts them. */
  buckets(count: number, last: number): number[] {
    const entries = Math.max(last - this.#first + 1, 0);
    const parts = Math.min(count, entries);
    const found = new Array<number>(parts).fill(0);
    for (const { seqs } of this.#pieces) {
      for (const seq of seqs) {
        if (seq > last) break;
        // The part whose [floor(i * entries / parts), floor((i + 1) * entries / parts)) has the place seq - first.
        const part = Math.floor(((seq - this.#first + 1) * parts - 1) / entries);
        found[part] = (found[part] ?? 0) + 1;
      }
    }
    return found;
  }

  /** All hits up to `last` that are known, in order. */
  seqs(last: number): Uint32Array {
    const all = this.#pieces.flatMap(({ first, seqs }) => (first > last ? [] : [seqs]));
    const joined = new Uint32Array(all.reduce((length, { length: own }) => length + own, 0));
    let at = 0;
    for (const seqs of all) {
      joined.set(seqs, at);
      at += seqs.length;
    }
    const end = joined.findLastIndex((seq) => seq <= last) + 1;
    return joined.subarray(0, end);
  }

  /** How many of the entries up to `last` the index covered when it was read last. */
  indexed(last: number): number {
    return Math.max(Math.min(this.#indexed, last) - this.#first + 1, 0);
  }

  /** About how much memory the results take. */
  get bytes(): number {
    return this.#pieces.reduce((bytes, { seqs }) => bytes + seqs.byteLength + 200, 1000);
  }

  #take(from: number, skip: number, limit: number, last: number): FoundHits {
    const hits: FoundHits = { skip: null, seqs: [] };
    const end = Math.min(this.#spanFrom(from), last);
    let before = 0;
    let passed = 0;
    for (const { first, upto, seqs } of this.#pieces) {
      if (upto < from && first < from) {
        before += seqs.length;
        continue;
      }
      for (let index = 0; index < seqs.length; index += 1) {
        const seq = seqs[index] ?? 0;
        if (seq < from) before += 1;
        else if (seq > end || hits.seqs.length === limit) break;
        else if (passed < skip) passed += 1;
        else hits.seqs.push(seq);
      }
      if (hits.seqs.length === limit) break;
    }
    if (hits.seqs.length > 0 && this.searchedUpTo >= (hits.seqs[0] ?? 0)) hits.skip = before + passed;
    return hits;
  }

  /** The last entry up to which all from `seq` on have been searched; seq - 1 where it has not been. */
  #spanFrom(seq: number): number {
    let end = seq - 1;
    for (const { first, upto } of this.#pieces) {
      if (first > end + 1) break;
      if (upto > end) end = upto;
    }
    return end;
  }

  #work(): void {
    // A further thread costs more to start than a short run takes to search.
    const { runId, scanner } = this.#log;
    const atOnce = this.#last - this.#first >= shortRun ? scanner.atOnce : 1;
    const isWanted = () => this.#asking > 0 || Date.now() - this.#askedAt < forgottenMs;
    while (this.#underway.size < atOnce && isWanted()) {
      const range = this.#nextRange();
      if (range === null) return;
      this.#underway.add(range);
      scanner
        .scan({ runId, needle: this.needle, ...range }, portionMs)
        .then((scanned) => this.#keep(scanned))
        .catch((error: unknown) => {
          this.#failure = error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => {
          this.#underway.delete(range);
          if (this.#failure === null) this.#work();
          for (const wake of this.#waiting) wake();
        });
    }
  }

  /** The first gap at or after what was asked for last, else the first of all. */
  #nextRange(): { first: number; last: number } | null {
    const taken = [...this.#pieces.map(({ first, upto }) => ({ first, last: upto })), ...this.#underway].sort(
      (one, other) => one.first - other.first,
    );
    const gapFrom = (from: number): { first: number; last: number } | null => {
      let first = from;
      for (const range of taken) {
        if (range.last < first) continue;
        if (range.first > first) return { first, last: range.first - 1 };
        first = range.last + 1;
      }
      return first > this.#last ? null : { first, last: this.#last };
    };
    const gap = gapFrom(Math.max(Math.min(this.#near, this.#last + 1), this.#first)) ?? gapFrom(this.#first);
    if (gap === null) return null;
    const range = { first: gap.first, last: Math.min(gap.last, gap.first + this.#portion - 1) };
    this.#portion = Math.min(this.#portion * 2, portionMax);
    return range;
  }

  #keep(scanned: Scanned): void {
    if (scanned.upto < scanned.first) throw new Error(`Entry ${scanned.first} of run ${this.#log.runId} is not there`);
    this.#indexed = Math.max(this.#indexed, scanned.indexed);
    const at = this.#pieces.findLastIndex(({ first }) => first < scanned.first) + 1;
    const before = this.#pieces[at - 1];
    if (before?.upto === scanned.first - 1 && scanned.upto - before.first < pieceEntries) {
      this.#pieces[at - 1] = {
        first: before.first,
        upto: scanned.upto,
        indexed: scanned.indexed,
        seqs: joined(before.seqs, scanned.seqs),
        matches: before.matches + scanned.matches,
      };
    } else this.#pieces.splice(at, 0, scanned);
  }

  #change(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
