import { endOfString } from "#lib/contract/json-text.ts";
import { textFields } from "#lib/entry/entry-text.ts";
import { lowerCaseOf } from "./search-text.ts";

/** Deeper JSON, and objects with more keys, are read in the plain way. */
const depthMax = 100;
const keysMax = 500;

/** One entry is read at a time. */
let json: Uint8Array = new Uint8Array();
let at = 0;
let room = Buffer.allocUnsafe(64 * 1024);
let end = 0;
/** Hashes of the keys of the objects that are open, those of one after those of the one around it; where those of each begin. */
const keys = new Int32Array(keysMax);
const keysFrom = new Int32Array(depthMax + 1);
const isObject = new Uint8Array(depthMax + 1);
let keysEnd = 0;

/**
 * The search text (see searchBytesOf) of an entry that is given as JSON in UTF-8, as the store has it: without a value or string of
 * it being built, for all text that is appended goes through here. Null where it has to be read in the plain way: where an object has the
 * same key twice (the last one counts) or may have, or is deep or wide beyond measure.
 */
export function searchBytesOfJson(body: Uint8Array): Uint8Array | null {
  json = body;
  at = 1;
  end = 0;
  makeRoom(body.length + 1);
  while (json[at] === quote) {
    const start = at + 1;
    const close = endOfString(json, start);
    // After a name stands a colon; the store writes no space.
    at = close + 2;
    const isText = fieldNames.some((name) => isSame(start, close, name));
    if (isText ? !readValue() : !skipValue()) return null;
    if (json[at] === comma) at += 1;
  }
  if (json[at] !== closeBrace) return null;
  const bytes = Buffer.from(room.subarray(0, Math.max(end - 1, 0)));
  if (room.length > roomKept) room = Buffer.allocUnsafe(roomKept);
  return bytes;
}

const roomKept = 256 * 1024;

/** Passes over a string, a number or a word; the store's own fields are nothing else. */
function skipValue(): boolean {
  const byte = json[at];
  if (byte === openBrace || byte === openBracket) return false;
  if (byte === quote) at = endOfString(json, at + 1) + 1;
  else while (at < json.length && json[at] !== comma && json[at] !== closeBrace) at += 1;
  return true;
}

/** Writes the strings and numbers of a value; false where it cannot. */
function readValue(): boolean {
  let depth = 0;
  let wantsKey = false;
  keysEnd = 0;
  while (at < json.length) {
    const byte = json[at] as number;
    if (byte === quote) {
      if (wantsKey) {
        if (!readKey(depth)) return false;
        wantsKey = false;
        continue;
      }
      readString();
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > depthMax) return false;
      isObject[depth] = byte === openBrace ? 1 : 0;
      keysFrom[depth] = keysEnd;
      wantsKey = byte === openBrace;
      at += 1;
      continue;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return true;
      keysEnd = keysFrom[depth] as number;
      depth -= 1;
      wantsKey = false;
      at += 1;
    } else if (byte === comma) {
      wantsKey = isObject[depth] === 1;
      at += 1;
      continue;
    } else if (byte === minus || (byte >= zero && byte <= nine)) readNumber();
    else {
      // A colon, white space, or a letter of true, false and null.
      at += 1;
      if (depth > 0 || json[at] !== comma) continue;
    }
    if (depth === 0) return true;
  }
  return false;
}

/** False where the object may have the key already. */
function readKey(depth: number): boolean {
  let hash = 0;
  at += 1;
  for (let byte = json[at]; byte !== quote; byte = json[at]) {
    if (byte === undefined || byte === backslash) return false;
    hash = (Math.imul(hash, 31) + byte) | 0;
    at += 1;
  }
  at += 1;
  for (let index = keysFrom[depth] as number; index < keysEnd; index += 1) if (keys[index] === hash) return false;
  if (keysEnd === keysMax) return false;
  keys[keysEnd] = hash;
  keysEnd += 1;
  return true;
}

/** Writes a string in lower case. */
function readString(): void {
  const begin = at;
  const from = end;
  at += 1;
  for (;;) {
    copyPlain();
    const found = json[at];
    if (found === quote || found === undefined) {
      at += 1;
      break;
    }
    if (found === backslash ? readEscape() : readLetter(found)) continue;
    end = from;
    at = endOfString(json, begin + 1) + 1;
    write(lowerCaseOf(JSON.parse(Buffer.from(json.buffer, json.byteOffset + begin, at - begin).toString())));
    break;
  }
  room[end] = 0;
  end += 1;
}

/** Copies what needs no closer look. This runs over every byte that is written: the casts rest on the bounds, and nothing is shared. */
function copyPlain(): void {
  const from = json;
  const to = room;
  const { length } = from;
  let read = at;
  let written = end;
  while (read < length) {
    const byte = lower[from[read] as number] as number;
    if (byte === special) break;
    to[written] = byte;
    read += 1;
    written += 1;
  }
  at = read;
  end = written;
}

/** Writes what an escape stands for; false where its lower case is to be asked for. */
function readEscape(): boolean {
  const escaped = json[at + 1] as number;
  const isCode = escaped === letterU;
  const code = isCode ? codeAt(at + 2) : (escapes[escaped] as number);
  if (code >= 0x80) return false;
  room[end] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  end += 1;
  at += isCode ? 6 : 2;
  return true;
}

/** The number that four hexadecimal digits say. */
function codeAt(start: number): number {
  let code = 0;
  for (let index = start; index < start + 4; index += 1) code = code * 16 + (digits[json[index] as number] as number);
  return code;
}

/** Writes the first byte of a letter; false where it may be a capital one. */
function readLetter(first: number): boolean {
  const second = json[at + 1] as number;
  if (!isCaseless(first, second)) return false;
  room[end] = first;
  end += 1;
  at += 1;
  return true;
}

/** Whether no letter whose UTF-8 begins with these bytes changes in lower case; what follows on them does not matter. */
export function isCaseless(first: number, second: number): boolean {
  if (first === 0xc3) return second >= 0x9f;
  // Signs, arrows and boxes; letters stand between them.
  if (first === 0xe2) return second <= 0x83 || (second >= 0x8c && second <= 0x91) || (second >= 0x94 && second <= 0xaf);
  if (first === 0xef) return second !== 0xbc;
  if (first === 0xf0) return second === 0x9f || second >= 0xa0;
  return lower[first] !== special;
}

/** Writes a number as JavaScript does. */
function readNumber(): void {
  const begin = at;
  let isPlain = json[at] !== minus;
  for (let byte = json[at]; byte !== undefined && isNumber[byte] === 1; byte = json[at]) {
    if (byte < zero || byte > nine) isPlain = false;
    room[end] = byte;
    end += 1;
    at += 1;
  }
  if (!isPlain || at - begin > digitsMax) {
    end -= at - begin;
    write(
      String(Number(Buffer.from(json.buffer, json.byteOffset + begin, at - begin).toString("latin1"))).toLowerCase(),
    );
  }
  room[end] = 0;
  end += 1;
}

function write(text: string): void {
  // What is still to be read takes no more than its length, and text has at most three bytes a unit.
  makeRoom(end + text.length * 3 + (json.length - at) + 1);
  end += room.write(text, end);
}

function makeRoom(bytes: number): void {
  if (room.length >= bytes) return;
  const larger = Buffer.allocUnsafe(Math.max(room.length * 2, bytes));
  room.copy(larger, 0, 0, end);
  room = larger;
}

function isSame(start: number, stop: number, name: Uint8Array): boolean {
  if (stop - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (json[start + index] !== name[index]) return false;
  return true;
}

const fieldNames = textFields.map((name) => Buffer.from(name));
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const letterU = 0x75;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Every number with no more digits is written as it stands. */
const digitsMax = 15;
/** What stands after a backslash, by what it stands for. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const place = "bfnrt".indexOf(String.fromCharCode(byte));
  return place === -1 ? byte : (Buffer.from("\b\f\n\r\t")[place] ?? byte);
});
const digits = Uint8Array.from({ length: 256 }, (_, byte) => Number.parseInt(String.fromCharCode(byte), 16) || 0);
const isNumber = Uint8Array.from({ length: 256 }, (_, byte) =>
  "+-.eE0123456789".includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Stands in {@link lower} for a byte that is looked at more closely; nothing that a string of JSON has is 0. */
const special = 0;
/** Lead bytes of UTF-8 under which no letter has a capital form. */
const caseless = [
  0xc2,
  0xe0,
  ...numbersFrom(0xd7, 0xdf),
  ...numbersFrom(0xe3, 0xe9),
  ...numbersFrom(0xeb, 0xee),
  ...numbersFrom(0xf1, 0xf4),
];
/** Each byte as it is written, or {@link special}. */
const lower = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote || byte === backslash) return special;
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte < 0xc0 || caseless.includes(byte) ? byte : special;
});

function numbersFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
