import { endOfString } from "#lib/contract/json-text.ts";
import { textFields } from "#lib/entry/entry-text.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  codeAt,
  comma,
  escapes,
  isCaseless,
  isNumber,
  isSame,
  letterU,
  lower,
  minus,
  nine,
  openBrace,
  openBracket,
  quote,
  special,
  zero,
} from "./json-bytes.ts";
import { lowerCaseOf } from "./search-text.ts";

/** Deeper JSON, and objects with more keys, are parsed instead. */
const depthMax = 100;
const keysMax = 500;
/** Bytes of buffer kept between entries. */
const roomKept = 256 * 1024;
/** A number with at most this many digits is copied unchanged. */
const digitsMax = 15;
const fieldNames = textFields.map((name) => Buffer.from(name));

/**
 * Extracts the search text (see searchTextOf) from entries given as JSON in UTF-8, as stored, without building values or
 * strings: all appended text goes through here. One entry at a time.
 */
export class JsonTextReader {
  #json: Uint8Array = new Uint8Array();
  /** The next byte to read. */
  #at = 0;
  /** Output so far, up to `#end`. */
  #room = Buffer.allocUnsafe(roomKept);
  #end = 0;
  /** Hashes of the keys of open objects, inner ones after outer ones; and where those of each begin. */
  readonly #keys = new Int32Array(keysMax);
  readonly #keysFrom = new Int32Array(depthMax + 1);
  readonly #isObject = new Uint8Array(depthMax + 1);
  #keysEnd = 0;

  /**
   * Search text of an entry in UTF-8. Null if it must be parsed instead: if an object has or may have a duplicate key (the last
   * one counts), or is too deep or wide.
   */
  read(body: Uint8Array): Uint8Array | null {
    this.#json = body;
    this.#at = 1;
    this.#end = 0;
    this.#makeRoom(body.length + 1);
    while (body[this.#at] === quote) {
      const start = this.#at + 1;
      const close = endOfString(body, start);
      // A name is followed by a colon; the store writes no space.
      this.#at = close + 2;
      const isText = fieldNames.some((name) => isSame(body, start, close, name));
      if (isText ? !this.#readValue() : !this.#skipValue()) return null;
      if (body[this.#at] === comma) this.#at += 1;
    }
    if (body[this.#at] !== closeBrace) return null;
    const bytes = Buffer.from(this.#room.subarray(0, Math.max(this.#end - 1, 0)));
    if (this.#room.length > roomKept) this.#room = Buffer.allocUnsafe(roomKept);
    return bytes;
  }

  /** Skips a string, number or literal; fields other than the text fields have no other values. */
  #skipValue(): boolean {
    const json = this.#json;
    let at = this.#at;
    const byte = json[at];
    if (byte === openBrace || byte === openBracket) return false;
    if (byte === quote) at = endOfString(json, at + 1) + 1;
    else while (at < json.length && json[at] !== comma && json[at] !== closeBrace) at += 1;
    this.#at = at;
    return true;
  }

  /** Writes the strings and numbers of a value; false if it cannot. */
  #readValue(): boolean {
    const json = this.#json;
    let depth = 0;
    let wantsKey = false;
    this.#keysEnd = 0;
    while (this.#at < json.length) {
      const byte = json[this.#at] as number;
      if (byte === quote) {
        if (wantsKey) {
          if (!this.#readKey(depth)) return false;
          wantsKey = false;
          continue;
        }
        this.#readString();
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth > depthMax) return false;
        this.#isObject[depth] = byte === openBrace ? 1 : 0;
        this.#keysFrom[depth] = this.#keysEnd;
        wantsKey = byte === openBrace;
        this.#at += 1;
        continue;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return true;
        this.#keysEnd = this.#keysFrom[depth] as number;
        depth -= 1;
        wantsKey = false;
        this.#at += 1;
      } else if (byte === comma) {
        wantsKey = this.#isObject[depth] === 1;
        this.#at += 1;
        continue;
      } else if (byte === minus || (byte >= zero && byte <= nine)) this.#readNumber();
      else {
        // A colon, white space, or a letter of true, false and null.
        this.#at += 1;
        if (depth > 0 || json[this.#at] !== comma) continue;
      }
      if (depth === 0) return true;
    }
    return false;
  }

  /** False if the object may already have the key, or the key cannot be compared. */
  #readKey(depth: number): boolean {
    const json = this.#json;
    const keys = this.#keys;
    let hash = 0;
    let at = this.#at + 1;
    for (let byte = json[at]; byte !== quote; byte = json[at]) {
      if (byte === undefined || byte === backslash) return false;
      hash = (Math.imul(hash, 31) + byte) | 0;
      at += 1;
    }
    this.#at = at + 1;
    const end = this.#keysEnd;
    for (let index = this.#keysFrom[depth] as number; index < end; index += 1) if (keys[index] === hash) return false;
    if (end === keysMax) return false;
    keys[end] = hash;
    this.#keysEnd = end + 1;
    return true;
  }

  /** Writes a string in lower case. */
  #readString(): void {
    const begin = this.#at;
    const from = this.#end;
    this.#at += 1;
    for (;;) {
      this.#copyPlain();
      const found = this.#json[this.#at];
      if (found === quote || found === undefined) {
        this.#at += 1;
        break;
      }
      if (found === backslash ? this.#readEscape() : this.#readLetter(found)) continue;
      this.#end = from;
      this.#at = endOfString(this.#json, begin + 1) + 1;
      this.#write(lowerCaseOf(JSON.parse(this.#jsonText(begin))));
      break;
    }
    this.#put(0);
  }

  /**
   * Copies bytes that need no closer look. Runs over every byte written: the casts rest on the bounds, and nothing is shared.
   */
  #copyPlain(): void {
    const from = this.#json;
    const to = this.#room;
    const { length } = from;
    let read = this.#at;
    let written = this.#end;
    while (read < length) {
      const byte = lower[from[read] as number] as number;
      if (byte === special) break;
      to[written] = byte;
      read += 1;
      written += 1;
    }
    this.#at = read;
    this.#end = written;
  }

  /** Writes the character of an escape; false if its lower case must be computed. */
  #readEscape(): boolean {
    const escaped = this.#json[this.#at + 1] as number;
    const isCode = escaped === letterU;
    const code = isCode ? codeAt(this.#json, this.#at + 2) : (escapes[escaped] as number);
    if (code >= 0x80) return false;
    this.#put(code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
    this.#at += isCode ? 6 : 2;
    return true;
  }

  /** Writes the first byte of a letter; false if it may be a capital one. */
  #readLetter(first: number): boolean {
    if (!isCaseless(first, this.#json[this.#at + 1] as number)) return false;
    this.#put(first);
    this.#at += 1;
    return true;
  }

  /** Writes a number as JavaScript does. */
  #readNumber(): void {
    const json = this.#json;
    const begin = this.#at;
    const from = this.#end;
    let isPlain = json[begin] !== minus;
    for (let byte = json[begin]; byte !== undefined && isNumber[byte] === 1; byte = json[this.#at]) {
      if (byte < zero || byte > nine) isPlain = false;
      this.#put(byte);
      this.#at += 1;
    }
    if (!isPlain || this.#at - begin > digitsMax) {
      this.#end = from;
      this.#write(String(Number(this.#jsonText(begin))).toLowerCase());
    }
    this.#put(0);
  }

  /** Bytes read since `begin`. */
  #jsonText(begin: number): string {
    const { buffer, byteOffset } = this.#json;
    return Buffer.from(buffer, byteOffset + begin, this.#at - begin).toString();
  }

  #put(byte: number): void {
    this.#room[this.#end] = byte;
    this.#end += 1;
  }

  #write(text: string): void {
    // The unread rest needs at most its own length, and text at most three bytes per unit.
    this.#makeRoom(this.#end + text.length * 3 + (this.#json.length - this.#at) + 1);
    this.#end += this.#room.write(text, this.#end);
  }

  #makeRoom(bytes: number): void {
    if (this.#room.length >= bytes) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#room.length * 2, bytes));
    this.#room.copy(larger, 0, 0, this.#end);
    this.#room = larger;
  }
}
