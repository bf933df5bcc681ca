import { lowerBound } from "#lib/lower-bound.ts";
import { bytesOfCode, type CodedBlock } from "./code.ts";
import { isWordByte } from "./tokens.ts";

/**
 * A text (folded) divided into words and what is between them. In any block that contains it, the first part is the end of
 * a token, the last one the beginning of a token, and those between are whole tokens; a single part may be anywhere in one.
 */
export type Phrase = { bytes: Uint8Array; parts: readonly PhrasePart[] };
/** Bytes of one kind. */
export type PhrasePart = { bytes: Uint8Array; isWord: boolean };

/** A text and its parts. */
export function phraseOf(bytes: Uint8Array): Phrase {
  const parts: PhrasePart[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const kind = isWordByte[bytes[at] ?? 0];
    while (at < bytes.length && isWordByte[bytes[at] ?? 0] === kind) at += 1;
    parts.push({ bytes: bytes.subarray(start, at), isWord: kind === 1 });
  }
  return { bytes, parts };
}

/** Whether it is the single space that has no code between two words. */
export function isOneSpace({ bytes }: PhrasePart): boolean {
  return bytes.length === 1 && bytes[0] === 0x20;
}

/** A text of several parts in the tokens of a block. */
export type Pattern = {
  /** Candidates for the first token: 1 for each, and how many of its bytes belong to the text. */
  firsts: number[];
  isFirst: Uint8Array;
  firstBytes: (token: number) => number;
  /** Codes of the tokens between the first and the last. */
  middle: Buffer;
  /** Candidates for the last token. */
  lasts: number[];
  isLast: Uint8Array;
  lastBytes: (token: number) => number;
  lengthOf: (token: number) => number;
};

/** {@link Pattern} of a text; null if the block lacks one of its tokens. */
export function patternOf(block: CodedBlock, { parts }: Phrase): Pattern | null {
  const [start] = parts;
  const stop = parts.at(-1);
  if (start === undefined || stop === undefined) return null;
  const middle: number[] = [];
  for (const part of parts.slice(1, -1)) {
    // It is between two words there, and has no code.
    if (isOneSpace(part)) continue;
    const token = tokenLike(block, part.bytes);
    if (token === null) return null;
    middle.push(...bytesOfCode(token, block.stop));
  }
  const isFirst = edgeFlags(block, start, true);
  const isLast = edgeFlags(block, stop, false);
  const firsts = tokensIn(isFirst);
  const lasts = tokensIn(isLast);
  if (firsts.length === 0 || lasts.length === 0) return null;
  const { table, tokenEnds } = block;
  const startOf = (token: number) => (token === 0 ? 0 : (tokenEnds[token - 1] ?? 0));
  const isWord = (token: number) => isWordByte[table[startOf(token)] ?? 0] === 1;
  return {
    firsts,
    isFirst,
    firstBytes: (token) => (isWord(token) === start.isWord ? start.bytes.length : 0),
    middle: Buffer.from(middle),
    lasts,
    isLast,
    lastBytes: (token) => (isWord(token) === stop.isWord ? stop.bytes.length : 0),
    lengthOf: (token) => (tokenEnds[token] ?? 0) - startOf(token),
  };
}

/** 1 for each token that ends (or begins) with the part. A single space is also implied after (or before) a word. */
function edgeFlags(block: CodedBlock, part: PhrasePart, isEnd: boolean): Uint8Array {
  const flags = isOneSpace(part) ? wordFlags(block) : new Uint8Array(block.tokenEnds.length);
  visitTokens(block, part.bytes, (token, start, end) => {
    if ((isEnd ? end : start) === 0) flags[token] = 1;
  });
  return flags;
}

function tokensIn(flags: Uint8Array): number[] {
  const tokens: number[] = [];
  for (let token = flags.indexOf(1); token !== -1; token = flags.indexOf(1, token + 1)) tokens.push(token);
  return tokens;
}

function tokenLike(block: CodedBlock, bytes: Uint8Array): number | null {
  let found: number | null = null;
  visitTokens(block, bytes, (token, start, end) => {
    if (start === 0 && end === 0) found = token;
  });
  return found;
}

/** Visits each occurrence of the text in a token, with the number of bytes before and after it there. */
function visitTokens(
  { table, tokenEnds }: Pick<CodedBlock, "table" | "tokenEnds">,
  bytes: Uint8Array,
  visit: (token: number, before: number, after: number) => void,
): void {
  let token = 0;
  for (let at = table.indexOf(bytes); at !== -1; at = table.indexOf(bytes, at + 1)) {
    // The token that contains the byte.
    token = lowerBound(tokenEnds, at + 1, token, tokenEnds.length - 1);
    const after = (tokenEnds[token] ?? 0) - at - bytes.length;
    if (after >= 0) visit(token, token === 0 ? at : at - (tokenEnds[token - 1] ?? 0), after);
  }
}

/** 1 for each token that is a word. */
export function wordFlags({ table, tokenEnds }: Pick<CodedBlock, "table" | "tokenEnds">): Uint8Array {
  const flags = new Uint8Array(tokenEnds.length);
  let from = 0;
  for (let token = 0; token < flags.length; token += 1) {
    flags[token] = isWordByte[table[from] ?? 0] ?? 0;
    from = tokenEnds[token] ?? 0;
  }
  return flags;
}
