import type { BlockWords } from "./code-words.ts";
import { groupBlocks } from "./slices.ts";
import { type CollectedWords, placesMax } from "./vocabulary.ts";

/**
 * If a group's texts are so different that there would be more, the words of the remaining blocks stay unknown: their text is
 * read instead.
 */
const wordsMax = 2 ** 19;
const slotsLog = 20;
const spread = 0x9e3779b1;

/** Collects the words of a group's blocks. */
export class VocabularyBuilder {
  /** One more than the number of the word stored there; 0 for none. */
  readonly #slots = new Int32Array(2 ** slotsLog);
  readonly #known = new Uint8Array(groupBlocks / 8);
  #text = Buffer.alloc(2 ** 19);
  #ends = new Uint32Array(2 ** 15);
  #hashes = new Int32Array(2 ** 15);
  #found = 0;
  /** For each place: its word, its block, its entries, the number of occurrences. */
  #words = new Uint32Array(2 ** 18);
  #blocks = new Uint8Array(2 ** 18);
  #low = new Uint32Array(2 ** 18);
  #high = new Uint32Array(2 ** 18);
  #counts = new Uint32Array(2 ** 18);
  #places = 0;

  /** Adds the words of a block by its position in the group. */
  add(place: number, { ends, text, low, high, counts }: BlockWords): void {
    if (this.#places + ends.length > placesMax || this.#found + ends.length > wordsMax) return;
    this.#makeRoom(ends.length, text.length);
    this.#low.set(low, this.#places);
    this.#high.set(high, this.#places);
    this.#counts.set(counts, this.#places);
    this.#blocks.fill(place, this.#places, this.#places + ends.length);
    let start = 0;
    // Runs over every word of every block. The casts rest on the bounds.
    for (let word = 0; word < ends.length; word += 1) {
      const end = ends[word] as number;
      this.#words[this.#places + word] = this.#numberOf(text, start, end - 1);
      start = end;
    }
    this.#places += ends.length;
    this.#known[place >>> 3] = (this.#known[place >>> 3] ?? 0) | (1 << (place & 7));
  }

  /** All that was added. */
  collected(): CollectedWords {
    const firsts = new Uint32Array(this.#found + 1);
    for (let at = 0; at < this.#places; at += 1) {
      const after = (this.#words[at] as number) + 1;
      firsts[after] = (firsts[after] as number) + 1;
    }
    for (let word = 0; word < this.#found; word += 1) {
      firsts[word + 1] = (firsts[word + 1] as number) + (firsts[word] as number);
    }
    const places = {
      blocks: new Uint8Array(this.#places),
      low: new Uint32Array(this.#places),
      high: new Uint32Array(this.#places),
      counts: new Uint32Array(this.#places),
    };
    const next = firsts.slice();
    for (let at = 0; at < this.#places; at += 1) {
      const word = this.#words[at] as number;
      const to = next[word] as number;
      next[word] = to + 1;
      places.blocks[to] = this.#blocks[at] as number;
      places.low[to] = this.#low[at] as number;
      places.high[to] = this.#high[at] as number;
      places.counts[to] = this.#counts[at] as number;
    }
    const ends = this.#ends.slice(0, this.#found);
    return { text: this.#text.subarray(0, this.#textEnd), ends, firsts, known: this.#known, places };
  }

  /** End of the last word; the first is preceded by a separator. */
  get #textEnd(): number {
    return this.#found === 0 ? 1 : (this.#ends[this.#found - 1] as number);
  }

  #numberOf(text: Buffer, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (text[at] as number)) | 0;
    const slots = this.#slots;
    let slot = Math.imul(hash, spread) >>> (32 - slotsLog);
    for (let word = (slots[slot] as number) - 1; word !== -1; word = (slots[slot] as number) - 1) {
      if (this.#hashes[word] === hash && this.#isWord(word, text, start, end)) return word;
      slot = (slot + 1) & (slots.length - 1);
    }
    const from = this.#textEnd;
    this.#found += 1;
    slots[slot] = this.#found;
    this.#hashes[this.#found - 1] = hash;
    for (let at = start; at < end; at += 1) this.#text[from + at - start] = text[at] as number;
    this.#ends[this.#found - 1] = from + end - start + 1;
    return this.#found - 1;
  }

  #isWord(word: number, text: Buffer, start: number, end: number): boolean {
    const from = word === 0 ? 1 : (this.#ends[word - 1] as number);
    if ((this.#ends[word] as number) - from - 1 !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.#text[from + at - start] !== text[at]) return false;
    return true;
  }

  #makeRoom(words: number, bytes: number): void {
    if (this.#textEnd + bytes > this.#text.length) {
      // Zeros, which are separators.
      const text = Buffer.alloc(Math.max(this.#text.length * 2, this.#textEnd + bytes));
      this.#text.copy(text, 0, 0, this.#textEnd);
      this.#text = text;
    }
    if (this.#found + words > this.#ends.length) {
      const room = Math.max(this.#ends.length * 2, this.#found + words);
      this.#ends = widened(this.#ends, new Uint32Array(room));
      this.#hashes = widened(this.#hashes, new Int32Array(room));
    }
    if (this.#places + words > this.#words.length) {
      const room = Math.max(this.#words.length * 2, this.#places + words);
      this.#words = widened(this.#words, new Uint32Array(room));
      this.#blocks = widened(this.#blocks, new Uint8Array(room));
      this.#low = widened(this.#low, new Uint32Array(room));
      this.#high = widened(this.#high, new Uint32Array(room));
      this.#counts = widened(this.#counts, new Uint32Array(room));
    }
  }
}

function widened<A extends Uint8Array | Uint32Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
