import { type CodedBlock, tokenOf } from "./code.ts";
import { type CollectedVocabulary, groupBlocks, placesMax } from "./vocabulary.ts";

/** Entries of a block that contain each token, as in TokenPlaces, and how often the token occurs in the block. */
export type TokenEntries = { low: Uint32Array; high: Uint32Array; counts: Uint32Array };

/** Entries of each token. Runs over every token of the text: the casts rest on the bounds. */
export function entriesOfTokens({ code, ends, stop, tokenEnds }: CodedBlock): TokenEntries {
  const found = tokenEnds.length;
  const [low, high, counts] = [new Uint32Array(found), new Uint32Array(found), new Uint32Array(found)];
  let at = 0;
  for (const [entry, end] of ends.entries()) {
    const half = entry < 32 ? low : high;
    const bit = 1 << (entry & 31);
    while (at < end) {
      let token = code[at] as number;
      at += 1;
      if (token >= stop) {
        token = tokenOf(token, code[at] as number, stop);
        at += 1;
      }
      half[token] = (half[token] as number) | bit;
      counts[token] = (counts[token] as number) + 1;
    }
  }
  return { low, high, counts };
}

/**
 * Collects the tokens of a group's blocks, given by position in the group. If the texts are so different that there would be more
 * places than a vocabulary has, the remaining blocks stay unknown: their text is read instead.
 */
export function collectVocabulary(blocks: Iterable<{ place: number; block: CodedBlock }>): CollectedVocabulary {
  const known = new Uint8Array(groupBlocks / 8);
  const taken: (TokenEntries & { place: number; table: Buffer; tokenEnds: Uint32Array })[] = [];
  let count = 0;
  let bytes = 1;
  for (const { place, block } of blocks) {
    const { table, tokenEnds } = block;
    if (count + tokenEnds.length > placesMax) continue;
    count += tokenEnds.length;
    bytes += table.length + tokenEnds.length;
    known[place >>> 3] = (known[place >>> 3] ?? 0) | (1 << (place & 7));
    taken.push({ place, table, tokenEnds, ...entriesOfTokens(block) });
  }
  const distinct = new DistinctTokens(count, bytes);
  const numbers = taken.map(({ table, tokenEnds }) => distinct.add(table, tokenEnds));
  const { text, ends } = distinct.collected();

  const firsts = new Uint32Array(ends.length + 1);
  for (const own of numbers) for (const token of own) firsts[token + 1] = (firsts[token + 1] as number) + 1;
  for (let token = 0; token < ends.length; token += 1) {
    firsts[token + 1] = (firsts[token + 1] as number) + (firsts[token] as number);
  }
  const places = {
    blocks: new Uint8Array(count),
    low: new Uint32Array(count),
    high: new Uint32Array(count),
    counts: new Uint32Array(count),
  };
  const next = firsts.slice();
  for (const [index, { place, low, high, counts }] of taken.entries()) {
    for (const [at, token] of numbers[index]?.entries() ?? []) {
      const to = next[token] as number;
      next[token] = to + 1;
      places.blocks[to] = place;
      places.low[to] = low[at] as number;
      places.high[to] = high[at] as number;
      places.counts[to] = counts[at] as number;
    }
  }
  return { text, ends, firsts, known, places };
}

const spread = 0x9e3779b1;

/** Numbers the distinct tokens of several tables. Runs over every byte of them: the casts rest on the bounds. */
class DistinctTokens {
  /** One more than the number of the token stored there; 0 for none. */
  readonly #slots: Int32Array;
  readonly #slotsLog: number;
  readonly #hashes: Int32Array;
  readonly #ends: Uint32Array;
  /** A separator, then every token followed by a separator. */
  readonly #text: Buffer;
  #found = 0;
  #end = 1;

  constructor(tokensMax: number, bytesMax: number) {
    this.#slotsLog = 33 - Math.clz32(tokensMax);
    this.#slots = new Int32Array(2 ** this.#slotsLog);
    this.#hashes = new Int32Array(tokensMax);
    this.#ends = new Uint32Array(tokensMax);
    this.#text = Buffer.alloc(bytesMax);
  }

  /** The number of each token of a table. */
  add(table: Buffer, tokenEnds: Uint32Array): Uint32Array {
    let start = 0;
    return tokenEnds.map((end) => {
      const number = this.#numberOf(table, start, end);
      start = end;
      return number;
    });
  }

  collected(): { text: Buffer; ends: Uint32Array } {
    return { text: this.#text.subarray(0, this.#end), ends: this.#ends.subarray(0, this.#found) };
  }

  #numberOf(table: Buffer, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (table[at] as number)) | 0;
    const slots = this.#slots;
    let slot = Math.imul(hash, spread) >>> (32 - this.#slotsLog);
    for (let token = (slots[slot] as number) - 1; token !== -1; token = (slots[slot] as number) - 1) {
      if (this.#hashes[token] === hash && this.#isToken(token, table, start, end)) return token;
      slot = (slot + 1) & (slots.length - 1);
    }
    const token = this.#found;
    this.#found += 1;
    slots[slot] = this.#found;
    this.#hashes[token] = hash;
    for (let at = start; at < end; at += 1) this.#text[this.#end + at - start] = table[at] as number;
    this.#end += end - start + 1;
    this.#ends[token] = this.#end;
    return token;
  }

  #isToken(token: number, table: Buffer, start: number, end: number): boolean {
    const from = token === 0 ? 1 : (this.#ends[token - 1] as number);
    if ((this.#ends[token] as number) - from - 1 !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.#text[from + at - start] !== table[at]) return false;
    return true;
  }
}
