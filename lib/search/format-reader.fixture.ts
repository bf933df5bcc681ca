/** A reader of search.db written from FORMAT.md, sharing no code with the implementation. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { foldCase } from "#lib/entry/fold-case.ts";

/** Parts of the format that a search used. */
export type Part = "words" | "signs" | "coded" | "coded as it is" | "plain" | "tail";

const isWord = (byte = 0) => byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a);
const bit = (bytes: Uint8Array, n: number) => ((bytes[n >> 3] ?? 0) >> (n & 7)) & 1;
const u32s = (from: Buffer, at: number, n: number) =>
  Array.from({ length: n }, (_, i) => from.readUInt32LE(at + 4 * i));
const occurrences = (text: Buffer, needle: Buffer) =>
  text.toString("latin1").split(needle.toString("latin1")).length - 1;
const cut = (bytes: Buffer, ends: number[]) => ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));

function readTable(table: Buffer, count: number): Buffer[] {
  const ends: number[] = [];
  let [at, end] = [0, 0];
  for (let shift = 0; ends.length < count; at += 1) {
    const byte = table[at] ?? 0;
    end += (byte & 127) << shift;
    shift = byte < 128 ? 0 : shift + 7;
    if (byte < 128) ends.push(end);
  }
  return cut(table.subarray(at), ends);
}

function textOfCode(code: Buffer, tokens: Buffer[], stop: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const first = code[at] ?? 0;
    if (first >= stop) at += 1;
    const token = tokens[first < stop ? first : stop + (first - stop) * stop + (code[at] ?? 0)] ?? Buffer.of();
    if (isWord(token[0]) && isWord(parts.at(-1)?.[0])) parts.push(Buffer.of(0x20));
    parts.push(token);
  }
  return Buffer.concat(parts);
}

/** Texts of a block's entries. */
function textsOf(blob: Buffer, note: (part: Part) => void): Buffer[] {
  const head = blob.readUInt32LE(0);
  const n = head & 0x3fffffff;
  if (head >>> 31 === 0) {
    note("plain");
    return cut(zstdDecompressSync(blob.subarray(4 + 4 * n)), u32s(blob, 4, n));
  }
  const isAsItIs = ((head >>> 30) & 1) === 1;
  note(isAsItIs ? "coded as it is" : "coded");
  const unpacked = (bytes: Buffer) => (isAsItIs ? bytes : zstdDecompressSync(bytes));
  const [, count = 0, , stored = 0] = u32s(blob, 4, 4);
  const from = 24 + 4 * n;
  const tokens = readTable(unpacked(blob.subarray(from, from + stored)), count);
  let stop = 255;
  while (stop + stop * (256 - stop) < count) stop -= 1;
  return cut(unpacked(blob.subarray(from + stored)), u32s(blob, 24, n)).map((code) => textOfCode(code, tokens, stop));
}

/** Opens an index. `note` is called with each part that a search uses. */
export function openFormatReader(file: string, note: (part: Part) => void) {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string, id: number) => database.prepare(sql).all(id);
  const find = (table: string, column: string, id: number, key = "id"): Buffer | null => {
    const bytes = rows(`select ${column} as bytes from ${table} where ${key} = ?`, id)[0]?.bytes;
    return bytes instanceof Uint8Array ? Buffer.from(bytes) : null;
  };
  const must = (bytes: Buffer | null): Buffer => bytes ?? assert.fail("A row is missing");

  /** What a group's tokens say about a text within a token, by position: which entries contain it, and how often all do. */
  function tokenHits(group: number, needle: Buffer) {
    const hits = new Map<number, { entries: Set<number>; matches: number }>();
    const row = find("vocabularies", "tokens", group);
    const isInWord = needle.every(isWord);
    const isInSign = !needle.some(isWord) && needle.toString() !== " ";
    if (row === null || (!isInWord && !isInSign)) return hits;
    note(isInWord ? "words" : "signs");
    const w = row.readUInt32LE(0);
    const plain = zstdDecompressSync(row.subarray(40));
    for (let p = 0; p < 256; p += 1) if (bit(row.subarray(8, 40), p)) hits.set(p, { entries: new Set(), matches: 0 });
    const firsts = u32s(plain, 4 * w, w + 1);
    const pieces = Array.from({ length: Math.ceil((firsts[w] ?? 0) / 8192) }, (_, piece) =>
      zstdDecompressSync(must(find("token_places", "places", 256 * group + piece)).subarray(4)),
    );
    for (const [k, token] of cut(plain.subarray(8 * w + 4), u32s(plain, 0, w)).entries()) {
      const times = occurrences(token, needle);
      for (let at = firsts[k] ?? 0; times > 0 && at < (firsts[k + 1] ?? 0); at += 1) {
        const columns = must(pieces[at >> 13] ?? null);
        const [m, i] = [columns.length / 13, at % 8192];
        const block = hits.get(columns[12 * m + i] ?? 0) ?? assert.fail("A place of a block whose words are not there");
        block.matches += times * columns.readUInt32LE(8 * m + 4 * i);
        const which = [columns.subarray(4 * i), columns.subarray(4 * (m + i))];
        for (let j = 0; j < 64; j += 1) if (bit(must(which[j >> 5] ?? null), j % 32)) block.entries.add(j);
      }
    }
    return hits;
  }

  return {
    /** Entries that contain the text, in order, and the total number of occurrences. */
    search(runId: number, text: string) {
      const needle = Buffer.from(foldCase(text));
      const found = { seqs: [] as number[], matches: 0 };
      const look = (blob: Buffer, firstSeq: number) => {
        for (const [index, entry] of textsOf(blob, note).entries()) {
          const times = occurrences(entry, needle);
          if (times > 0) found.seqs.push(firstSeq + index);
          found.matches += times;
        }
      };
      const groups = new Map<number, ReturnType<typeof tokenHits>>();
      for (const row of rows("select id, first_seq from blocks where run_id = ? order by first_seq", runId)) {
        const [id, firstSeq] = [Number(row.id), Number(row.first_seq)];
        const group = (id - 1) >> 8;
        const hits = groups.get(group) ?? tokenHits(group, needle);
        groups.set(group, hits);
        const told = hits.get((id - 1) % 256);
        if (told === undefined) look(must(find("texts", "text", id)), firstSeq);
        for (let j = 0; j < 64; j += 1) if (told?.entries.has(j)) found.seqs.push(firstSeq + j);
        found.matches += told?.matches ?? 0;
      }
      for (const { first_seq } of rows("select first_seq from tails where run_id = ?", runId)) {
        note("tail");
        look(must(find("tails", "text", runId, "run_id")), Number(first_seq));
      }
      return found;
    },
    close: () => database.close(),
  };
}
