import { type CodedBlock, tokenOf } from "./code.ts";
import { isWordByte } from "./tokens.ts";

/** Distinct words of a block, with the entries that contain each and the number of occurrences. */
export type BlockWords = {
  /** Each followed by a separator. */
  text: Buffer;
  /** End of each, including its separator. */
  ends: Uint32Array;
  /** Bit `n % 32` of `n < 32 ? low : high` stands for entry n of the block. */
  low: Uint32Array;
  high: Uint32Array;
  counts: Uint32Array;
};

/** The words of a coded block. */
export function wordsOfCode(block: CodedBlock): BlockWords {
  const { table, tokenEnds } = block;
  const found = tokenEnds.length;
  const tokens = { low: new Uint32Array(found), high: new Uint32Array(found), counts: new Uint32Array(found) };
  countTokens(block, tokens);
  const words = { ends: new Uint32Array(found), ...tokens };
  const text = Buffer.alloc(table.length + found);
  let known = 0;
  let end = 0;
  let from = 0;
  // Moves the numbers of words to the front. The casts rest on the bounds.
  for (let token = 0; token < found; token += 1) {
    const to = tokenEnds[token] as number;
    if (isWordByte[table[from] as number] === 1) {
      for (let at = from; at < to; at += 1) text[end + at - from] = table[at] as number;
      end += to - from + 1;
      words.ends[known] = end;
      words.low[known] = tokens.low[token] as number;
      words.high[known] = tokens.high[token] as number;
      words.counts[known] = tokens.counts[token] as number;
      known += 1;
    }
    from = to;
  }
  return {
    text: text.subarray(0, end),
    ends: words.ends.subarray(0, known),
    low: words.low.subarray(0, known),
    high: words.high.subarray(0, known),
    counts: words.counts.subarray(0, known),
  };
}

/** Entries that contain each token, and how often. Runs over every token: the casts rest on the bounds. */
function countTokens(
  { code, ends, stop }: CodedBlock,
  { low, high, counts }: Pick<BlockWords, "low" | "high" | "counts">,
): void {
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
}
