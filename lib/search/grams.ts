/** Number of bits (log2) that record which sequences of one, two and three bytes occur in a block of text. */
const bitsLog = 17;
export const gramBits = 2 ** bitsLog;
export const gramBytes = gramBits / 8;

/** This many of its three-byte sequences identify a long text as well as all of them. */
const gramsMax = 12;

const spread = 0x9e3779b1;
const pairsFrom = 0x1000000;
const singlesFrom = 0x2000000;

const slotOf = (gram: number) => Math.imul(gram, spread) >>> (32 - bitsLog);

/**
 * One bit for each sequence of one, two or three bytes that occurs in the text (a Bloom filter with one hash): a clear bit means
 * that its sequence does not occur. Bit `slot` is bit `slot % 8` of byte `slot / 8`.
 */
export function gramsOf(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(gramBytes);
  const words = new Int32Array(bytes.buffer);
  const { length } = text;
  const [first, second] = text;
  if (first === undefined) return bytes;
  // Which two-byte runs occur, one bit each: few enough to stay in the processor's cache.
  const pairs = new Int32Array(65_536 / 32);
  let recent = (first << 8) | (second ?? 0);
  if (second !== undefined) setBit(pairs, recent);
  // Runs over every byte written. The casts rest on the bounds: checking for undefined each time makes it half as fast.
  for (let at = 2; at < length; at += 1) {
    recent = ((recent << 8) | (text[at] as number)) & 0xffffff;
    const slot = Math.imul(recent, spread) >>> (32 - bitsLog);
    words[slot >>> 5] = (words[slot >>> 5] as number) | (1 << (slot & 31));
    const pair = recent & 0xffff;
    pairs[pair >>> 5] = (pairs[pair >>> 5] as number) | (1 << (pair & 31));
  }
  setBit(words, slotOf(singlesFrom + first));
  for (const [index, bits] of pairs.entries()) {
    for (let left = bits; left !== 0; left &= left - 1) {
      const pair = index * 32 + 31 - Math.clz32(left & -left);
      setBit(words, slotOf(pairsFrom + pair));
      setBit(words, slotOf(singlesFrom + (pair & 0xff)));
    }
  }
  return bytes;
}

/** Bits that are all set in the grams of every text containing `part`; at least one, if `part` has at least one byte. */
export function slotsOf(part: Uint8Array): number[] {
  const [first = 0, second = 0] = part;
  if (part.length === 1) return [slotOf(singlesFrom + first)];
  if (part.length === 2) return [slotOf(pairsFrom + ((first << 8) | second))];
  const count = part.length - 2;
  const taken = Math.min(count, gramsMax);
  const slots = new Set<number>();
  for (let index = 0; index < taken; index += 1) {
    const at = Math.floor((index * count) / taken);
    slots.add(slotOf(((part[at] ?? 0) << 16) | ((part[at + 1] ?? 0) << 8) | (part[at + 2] ?? 0)));
  }
  return [...slots];
}

/** Whether all these bits are set. */
export function hasBits(grams: Uint8Array, slots: readonly number[]): boolean {
  return slots.every((slot) => ((grams[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0);
}

function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
}
