import type { LongField, RawFields } from "#lib/contract/entry.ts";
import { endOfString } from "#lib/contract/json-text.ts";

/**
 * The long fields of the entries of a batch as they were sent, so that they are stored without being written anew. `body` is the
 * request's, JSON that was found valid and `{"entries":[…]}` with objects in it; where a key of a name is given twice the last one
 * counts, as everywhere in JSON. Null where a name is written with escapes: such a body is better written anew.
 */
export function rawEntries(body: Uint8Array): RawFields[] | null {
  let entries: RawFields[] = [];
  const end = readObject(body, skipSpace(body, 0), (key, start) => {
    if (!isName(body, key, entriesName)) return endOfValue(body, start);
    const found: RawFields[] = [];
    entries = found;
    let at = skipSpace(body, start + 1);
    while (body[at] !== closeBracket) {
      const fields: RawFields = {};
      const after = readFields(body, at, fields);
      if (after === null) return null;
      found.push(fields);
      at = skipSpace(body, after);
      if (body[at] === comma) at = skipSpace(body, at + 1);
    }
    return at + 1;
  });
  return end === null ? null : entries;
}

function readFields(json: Uint8Array, start: number, fields: RawFields): number | null {
  return readObject(json, start, (key, value) => {
    const end = endOfValue(json, value);
    const name = longNames.find(([, bytes]) => isName(json, key, bytes))?.[0];
    if (name !== undefined) fields[name] = json.subarray(value, end);
    return end;
  });
}

/** Goes through an object: `read` is told where each name and value begin and says where the value ends. Gives the object's end. */
function readObject(
  json: Uint8Array,
  start: number,
  read: (name: { start: number; end: number }, value: number) => number | null,
): number | null {
  let at = skipSpace(json, start + 1);
  while (json[at] === quote) {
    const name = { start: at + 1, end: endOfString(json, at + 1) };
    if (json.subarray(name.start, name.end).includes(backslash)) return null;
    // After the name stands a colon.
    const end = read(name, skipSpace(json, skipSpace(json, name.end + 1) + 1));
    if (end === null) return null;
    at = skipSpace(json, end);
    if (json[at] === comma) at = skipSpace(json, at + 1);
  }
  return at + 1;
}

function endOfValue(json: Uint8Array, start: number): number {
  if (json[start] === quote) return endOfString(json, start + 1) + 1;
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at + 1);
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
  }
  return json.length;
}

function skipSpace(json: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(json[at])) at += 1;
  return at;
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function isName(json: Uint8Array, { start, end }: { start: number; end: number }, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (json[start + index] !== name[index]) return false;
  return true;
}

const entriesName = Buffer.from("entries");
const longNames = (["thought", "tool_input", "tool_output", "observation"] satisfies LongField[]).map(
  (name): [LongField, Uint8Array] => [name, Buffer.from(name)],
);
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
