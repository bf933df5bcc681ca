/** Returned for anything that is not JSON of the kind read here. */
export const unread = -1;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const letterU = 0x75;

const letter = (text: string) => Buffer.from(text);
const words = [letter("true"), letter("false"), letter("null")];
/** 0 for characters a string contains as they are, 1 for quote and backslash, 2 for those that must be escaped. */
const inString = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === quote || byte === backslash ? 1 : byte < space ? 2 : 0,
);
const escapable = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
const isHex = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-fA-F]/.test(String.fromCharCode(byte)) && byte < 128 ? 1 : 0,
);

/**
 * End of the value that begins at `start`, in JSON (UTF-8) on one line; {@link unread} if it is invalid or nests more
 * than `depth` arrays and objects.
 */
export function endOfValue(json: Buffer, start: number, depth: number): number {
  const first = json[start];
  if (first === quote) return endOfString(json, start);
  if (first === openBrace || first === openBracket) {
    if (depth === 0) return unread;
    return first === openBrace
      ? endOfObject(json, start, (value) => endOfValue(json, value, depth - 1))
      : endOfArray(json, start, depth - 1);
  }
  for (const word of words) if (holds(json, start, word)) return start + word.length;
  return endOfNumber(json, start);
}

/**
 * End of the object that begins at `start`. `read` gets the position of each name and of its value, and returns the end
 * of that value; a name with escapes is {@link unread}.
 */
export function endOfObject(
  json: Buffer,
  start: number,
  read: (value: number, nameStart: number, nameEnd: number) => number,
): number {
  if (json[start] !== openBrace) return unread;
  let at = afterSpace(json, start + 1);
  if (json[at] === closeBrace) return at + 1;
  for (;;) {
    const end = endOfText(json, at);
    if (end === unread) return unread;
    const name = at + 1;
    at = afterSpace(json, end);
    if (json[at] !== colon) return unread;
    at = read(afterSpace(json, at + 1), name, end - 1);
    if (at === unread) return unread;
    at = afterSpace(json, at);
    if (json[at] === closeBrace) return at + 1;
    if (json[at] !== comma) return unread;
    at = afterSpace(json, at + 1);
  }
}

/** End of a string without escapes, including its quotes. */
export function endOfText(json: Buffer, start: number): number {
  if (json[start] !== quote) return unread;
  for (let at = start + 1; at < json.length; at += 1) {
    if (inString[json[at] as number] === 0) continue;
    return json[at] === quote ? at + 1 : unread;
  }
  return unread;
}

/** Runs over every byte sent: the casts rest on the bounds. */
function endOfString(json: Buffer, start: number): number {
  const { length } = json;
  for (let at = start + 1; at < length; at += 1) {
    const kind = inString[json[at] as number] as number;
    if (kind === 0) continue;
    if (json[at] === quote) return at + 1;
    if (kind === 2) return unread;
    at += 1;
    const escaped = json[at] as number;
    if (escapable[escaped] === 1) continue;
    if (escaped !== letterU) return unread;
    for (let digit = 1; digit <= 4; digit += 1) if (isHex[json[at + digit] as number] !== 1) return unread;
    at += 4;
  }
  return unread;
}

function endOfArray(json: Buffer, start: number, depth: number): number {
  let at = afterSpace(json, start + 1);
  if (json[at] === closeBracket) return at + 1;
  for (;;) {
    at = endOfValue(json, at, depth);
    if (at === unread) return unread;
    at = afterSpace(json, at);
    if (json[at] === closeBracket) return at + 1;
    if (json[at] !== comma) return unread;
    at = afterSpace(json, at + 1);
  }
}

/** A number has few characters; the characters after it are not part of one. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const numberBytesMax = 400;

function endOfNumber(json: Buffer, start: number): number {
  let end = start;
  while (end < json.length && end - start < numberBytesMax && isNumberByte[json[end] as number] === 1) end += 1;
  return numberPattern.test(json.toString("latin1", start, end)) ? end : unread;
}

const isNumberByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  "+-.eE0123456789".includes(String.fromCharCode(byte)) ? 1 : 0,
);

function afterSpace(json: Buffer, start: number): number {
  let at = start;
  while (json[at] === space) at += 1;
  return at;
}

function holds(json: Buffer, start: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index += 1) if (json[start + index] !== word[index]) return false;
  return true;
}
