import assert from "node:assert/strict";
import { test } from "node:test";
import { rawEntries } from "./raw-entries.ts";

const fields = ["thought", "tool_input", "tool_output", "observation"] as const;

/** What the long fields of a body hold, read from the bytes that were cut out of it. */
function cut(body: string): Record<string, unknown>[] | null {
  const raw = rawEntries(Buffer.from(body));
  return (
    raw?.map((entry) =>
      Object.fromEntries(
        fields.flatMap((field) => {
          const bytes = entry[field];
          return bytes === undefined ? [] : [[field, JSON.parse(Buffer.from(bytes).toString())]];
        }),
      ),
    ) ?? null
  );
}

function parsed(body: string): Record<string, unknown>[] {
  const entries: Record<string, unknown>[] = JSON.parse(body).entries;
  return entries.map((entry) =>
    Object.fromEntries(fields.flatMap((field) => (field in entry ? [[field, entry[field]]] : []))),
  );
}

const strings = [
  "",
  "plain",
  'say "so"',
  "back\\slash\\",
  "end\\\\",
  "{[,:]}",
  "é✓😀",
  "\u0000\u001b\n",
  "\ud83d",
  "entries",
];

/** Numbers of no order, the same every time. */
function* numbers(): Generator<number> {
  for (let state = 7; ; state = (state * 1103515245 + 12345) % 2 ** 31) yield state >>> 8;
}

test("what is cut out of a body is what parsing it gives, however it is written", () => {
  const next = numbers();
  const number = (below: number) => Number(next.next().value) % below;
  const value = (depth: number): unknown => {
    const kind = number(depth > 3 ? 4 : 6);
    if (kind === 0) return strings[number(strings.length)];
    if (kind === 1) return number(1000) - 500.5;
    if (kind === 2) return [true, false, null][number(3)];
    if (kind === 3) return number(10) * 1e20;
    const many = Array.from({ length: number(4) }, () => value(depth + 1));
    return kind === 4 ? many : Object.fromEntries(many.map((one, index) => [strings[(index * 3) % 6] ?? "", one]));
  };
  for (let round = 0; round < 300; round += 1) {
    const entries = Array.from({ length: number(5) }, () => {
      const names = [...fields, "message_type", "thoughts", "seq"].filter(() => number(3) > 0);
      return Object.fromEntries(names.map((name) => [name, value(0)]));
    });
    for (const indent of ["", " ", "\t", "\r\n "]) {
      const body = JSON.stringify({ before: value(0), entries, after: value(0) }, null, indent);
      assert.deepEqual(cut(body), parsed(body), body);
    }
  }
});

test("of a name that is given twice the last one counts, and names with escapes are left to be written anew", () => {
  const twice = '{"entries":[{"thought":"a"}],"entries":[{"thought":"b","thought" : "c"}]}';
  assert.deepEqual(cut(twice), parsed(twice));
  assert.equal(cut('{"entries":[{"\\u0074hought":"a"}]}'), null);
  assert.equal(cut('{"entr\\u0069es":[{"thought":"a"}]}'), null);
});
