import type { Scanned } from "./log-reader.ts";

/** Shorter pieces are merged, so that a growing run does not leave one per entry. */
const pieceEntries = 8192;

/** Consecutive hits. `skip` is the number of hits before them; null if not all earlier entries were searched. */
export type HitSlice = { skip: number | null; seqs: number[] };

/** Searched ranges of a log from entry `first` on, and their hits. */
export class SearchedPieces {
  readonly #first: number;
  /** In order, without overlap. */
  readonly #pieces: Scanned[] = [];
  #indexed = 0;

  constructor(first: number) {
    this.#first = first;
  }

  /** Adds a searched range, which overlaps no other. */
  add(scanned: Scanned): void {
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

  /** Searched ranges, in order. */
  get ranges(): { first: number; last: number }[] {
    return this.#pieces.map(({ first, upto }) => ({ first, last: upto }));
  }

  /** Last entry up to which all have been searched. */
  get searchedUpTo(): number {
    return this.#spanFrom(this.#first);
  }

  /**
   * Of the entries searched up to `last`: their number, how many contain the text, and the number of occurrences. `last` is
   * {@link searchedUpTo}, or infinity for everything known.
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

  /** Hits by position. */
  hitsAfter(skip: number, limit: number, last: number): HitSlice {
    return this.#take(this.#first, skip, limit, last);
  }

  /** Hits from the first one at or after an entry; if there is none, from the first of all. */
  hitsAround(seq: number, limit: number, last: number): HitSlice {
    const from = Math.max(seq, this.#first);
    const there = from > last ? null : this.#take(from, 0, limit, last);
    if (there !== null && (there.seqs.length > 0 || this.#spanFrom(from) < last)) return there;
    return this.#take(this.#first, 0, limit, last);
  }

  /** Number of hits in each of `count` equal parts of the entries up to `last`; divided as in the outline. */
  buckets(count: number, last: number): number[] {
    const entries = Math.max(last - this.#first + 1, 0);
    const parts = Math.min(count, entries);
    const found = new Array<number>(parts).fill(0);
    for (const { seqs } of this.#pieces) {
      for (const seq of seqs) {
        if (seq > last) break;
        // The part whose range [floor(i * entries / parts), floor((i + 1) * entries / parts)) contains seq - first.
        const part = Math.floor(((seq - this.#first + 1) * parts - 1) / entries);
        found[part] = (found[part] ?? 0) + 1;
      }
    }
    return found;
  }

  /** All known hits up to `last`, in order. */
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

  /** How many of the entries up to `last` the index covered when last read. */
  indexed(last: number): number {
    return Math.max(Math.min(this.#indexed, last) - this.#first + 1, 0);
  }

  /** Approximate memory of the results. */
  get bytes(): number {
    return this.#pieces.reduce((bytes, { seqs }) => bytes + seqs.byteLength + 200, 1000);
  }

  #take(from: number, skip: number, limit: number, last: number): HitSlice {
    const hits: HitSlice = { skip: null, seqs: [] };
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

  /** Last entry up to which all from `seq` have been searched; seq - 1 if it has not been. */
  #spanFrom(seq: number): number {
    let end = seq - 1;
    for (const { first, upto } of this.#pieces) {
      if (first > end + 1) break;
      if (upto > end) end = upto;
    }
    return end;
  }
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
