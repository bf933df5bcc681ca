import type { Block } from "./block.ts";

/**
 * Text of a block as its words and what is between them. A word is a run of ASCII letters, digits and bytes above ASCII; within
 * an entry, words and other runs alternate. A single space between two words is left out of the tokens: it is implied. All of
 * it is valid until its tokenizer reads the next block.
 */
export type Tokens = {
  /** Number of distinct ones. Token n begins at byte `starts[n]` of the text, and occurs `counts[n]` times. */
  found: number;
  starts: Int32Array;
  lengths: Int32Array;
  counts: Int32Array;
  /** The text's tokens in order; those of entry n end at `ends[n]`. */
  stream: Uint16Array;
  ends: Uint32Array;
};

/** Blocks with more are skipped. */
export const tokensMax = 16_384;

const spread = 0x9e3779b1;
const space = 0x20;

/** 1 for each byte that is part of a word. */
export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) ? 1 : 0,
);

/** Most blocks have few tokens: only as many slots are used as needed, 2 ** this at first. */
const slotsLogMin = 12;
const streamKept = 2 ** 18;

/** Progress within a block: its distinct tokens, tokens written to the stream, and the next byte. */
type Reading = { found: number; written: number; at: number };

/** Tokenizes blocks, one at a time, in memory that it reuses. */
export class Tokenizer {
  // Signed numbers: to the engine, unsigned ones above 2^31 are not small integers.
  /** One more than the token stored there; 0 for none. */
  readonly #slots = new Int32Array(2 ** 16);
  /** The same for single bytes that are not words: most of what is between words. */
  readonly #singles = new Int32Array(256);
  readonly #starts = new Int32Array(tokensMax);
  readonly #lengths = new Int32Array(tokensMax);
  readonly #hashes = new Int32Array(tokensMax);
  readonly #counts = new Int32Array(tokensMax);
  #stream = new Uint16Array(streamKept);

  /** Tokens of a block; null if there are too many. */
  read({ text, ends }: Block): Tokens | null {
    if (text.length > this.#stream.length || this.#stream.length > streamKept) {
      this.#stream = new Uint16Array(Math.max(text.length, streamKept));
    }
    let slotsLog = slotsLogMin;
    this.#slots.fill(0, 0, 2 ** slotsLog);
    this.#singles.fill(0);
    const streamEnds = new Uint32Array(ends.length);
    let state: Reading = { found: 0, written: 0, at: 0 };
    let from = 0;
    for (const [entry, to] of ends.entries()) {
      while (state.at < to) {
        state = this.#readEntry(text, { from, to }, state, slotsLog);
        if (state.at >= to) break;
        if (state.found === tokensMax) return null;
        slotsLog += 1;
        this.#spreadOut(state.found, slotsLog);
      }
      streamEnds[entry] = state.written;
      from = to;
    }
    return {
      found: state.found,
      starts: this.#starts,
      lengths: this.#lengths,
      counts: this.#counts,
      stream: this.#stream,
      ends: streamEnds,
    };
  }

  /** Moves the existing tokens to more slots. */
  #spreadOut(found: number, slotsLog: number): void {
    const slots = this.#slots;
    slots.fill(0, 0, 2 ** slotsLog);
    for (let token = 0; token < found; token += 1) {
      let slot = Math.imul(this.#hashes[token] ?? 0, spread) >>> (32 - slotsLog);
      while (slots[slot] !== 0) slot = (slot + 1) & (2 ** slotsLog - 1);
      slots[slot] = token + 1;
    }
  }

  /**
   * Reads an entry, which ends with a separator, from where it was left. Stops at its end, or at a token there is no room for.
   * Runs over every byte written: the casts rest on the bounds and on the tables' sizes.
   */
  #readEntry(
    text: Buffer,
    { from, to }: { from: number; to: number },
    { found, written, at: begin }: Reading,
    slotsLog: number,
  ): Reading {
    const mask = 2 ** slotsLog - 1;
    const most = Math.min(tokensMax, 2 ** (slotsLog - 1));
    const slots = this.#slots;
    const singles = this.#singles;
    const starts = this.#starts;
    const lengths = this.#lengths;
    const hashes = this.#hashes;
    const counts = this.#counts;
    const tokens = this.#stream;
    let known = found;
    let next = written;
    let at = begin;
    while (at < to) {
      const start = at;
      let byte = text[at] as number;
      const kind = isWordByte[byte] as number;
      let hash = byte;
      at += 1;
      if (kind === 1) {
        for (byte = text[at] as number; isWordByte[byte] === 1; byte = text[at] as number) {
          hash = (Math.imul(hash, 31) + byte) | 0;
          at += 1;
        }
      } else {
        if (at === to || isWordByte[text[at] as number] === 1) {
          if (byte === space && start > from) continue;
          const single = (singles[byte] as number) - 1;
          if (single >= 0) {
            counts[single] = (counts[single] as number) + 1;
            tokens[next] = single;
            next += 1;
            continue;
          }
        }
        for (; at < to && isWordByte[text[at] as number] === 0; at += 1) {
          hash = (Math.imul(hash, 31) + (text[at] as number)) | 0;
        }
      }
      const length = at - start;
      let slot = Math.imul(hash, spread) >>> (32 - slotsLog);
      let token = (slots[slot] as number) - 1;
      while (
        token >= 0 &&
        !(hashes[token] === hash && lengths[token] === length && isSame(text, starts[token] as number, start, length))
      ) {
        slot = (slot + 1) & mask;
        token = (slots[slot] as number) - 1;
      }
      if (token < 0) {
        if (known === most) return { found: known, written: next, at: start };
        token = known;
        known += 1;
        slots[slot] = known;
        starts[token] = start;
        lengths[token] = length;
        hashes[token] = hash;
        counts[token] = 0;
        if (length === 1 && kind === 0) singles[hash] = known;
      }
      counts[token] = (counts[token] as number) + 1;
      tokens[next] = token;
      next += 1;
    }
    return { found: known, written: next, at };
  }
}

/** Whether the bytes at two positions are the same. */
function isSame(text: Buffer, other: number, start: number, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (text[other + at] !== text[start + at]) return false;
  return true;
}
