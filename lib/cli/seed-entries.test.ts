// Tier: rest
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { batchEntriesMax, IngestEntry } from "#lib/contract/logs/ingest.ts";
import { hugeCharacters, seedBodies, seedEntries } from "./seed-entries.ts";

const size = { entriesMax: 100, bytesMax: 256 * 1024 };
const isHuge = (entry: IngestEntry) => JSON.stringify(entry).length >= hugeCharacters;

test("the same count and seed give the same entries, another seed others", () => {
  const digest = (seed: number) => {
    const hash = createHash("sha256");
    for (const body of seedBodies(300, seed, size)) hash.update(body);
    return hash.digest("hex");
  };
  assert.equal(digest(1), digest(1));
  assert.notEqual(digest(1), digest(2));
});

test("what is sent is the JSON of the entries, in bodies no larger than requested", () => {
  const entries = [...seedEntries(400, 3)];
  const sent: unknown[] = [];
  for (const body of seedBodies(400, 3, size)) {
    const { entries: some } = JSON.parse(Buffer.from(body).toString());
    assert.ok(some.length <= size.entriesMax && (body.length <= size.bytesMax + 2 || some.length === 1));
    sent.push(...some);
  }
  assert.deepEqual(sent, entries);
  const counts = [...seedBodies(250, 3, { entriesMax: 100, bytesMax: 2 ** 30 })].length;
  assert.equal(counts, 3);
});

test("entries are accepted by the API, have 2-6 KB, and are of every kind, in order of time", () => {
  const entries = [...seedEntries(2 * batchEntriesMax, 7)];
  const kinds = new Set<string>();
  const calls = entries.flatMap(({ tool_call_id: id }) => id ?? []);
  assert.ok(calls.length > batchEntriesMax && new Set(calls).size === calls.length);
  for (const [index, entry] of entries.entries()) {
    IngestEntry.parse(entry);
    kinds.add(entry.tool_name ?? entry.message_type);
    assert.ok(index === 0 || String(entry.created_at) > String(entries[index - 1]?.created_at));
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (!isHuge(entry)) assert.ok(bytes >= 1900 && bytes <= 7000, `${entry.tool_name ?? entry.message_type} ${bytes}`);
  }
  assert.deepEqual([...kinds].sort(), [
    "ERROR",
    "FINAL_ANSWER",
    "PLAN_EVALUATION",
    "USER_MESSAGE",
    "edit",
    "grep",
    "read",
    "shell",
    "update_plan",
  ]);
});

test("two outputs are huge, and each needle is in only one entry", () => {
  const entries = [...seedEntries(200, 1)];
  assert.deepEqual(
    entries.flatMap((entry, index) => (isHuge(entry) ? [index] : [])),
    [40, 160],
  );
  const holding = (needle: string) =>
    entries.flatMap((entry, index) => (JSON.stringify(entry).includes(needle) ? [index] : []));
  assert.deepEqual([holding("needle-37"), holding("needle-end")], [[74], [199]]);
  assert.equal([...seedEntries(1, 1)].length, 1);
});
