// Tier: rest
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { seedEntries } from "#lib/cli/seed-entries.ts";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import type { FoundRuns } from "#lib/contract/logs/search.ts";
import { visitTexts } from "#lib/entry/entry-text.ts";
import { indexAll } from "#lib/search/index-all.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const [traces, traceEntries, smallRuns, wordCount] = [
  countOf({ short: 2, long: 4 }),
  countOf({ short: 300, long: 30_000 }),
  countOf({ short: 40, long: 200 }),
  countOf({ short: 12, long: 50 }),
];
const readers = 10;

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

/** Words of each run, in lower case; letters and digits, as the description of the search says. */
const wordsOf = new Map<number, Set<string>>();

async function addRun(entries: Iterable<NewEntry>): Promise<void> {
  const { run, lease } = await api.liveRun(0);
  const words = new Set<string>();
  wordsOf.set(run.id, words);
  let batch: NewEntry[] = [];
  const flush = async () => {
    if (batch.length > 0) await api.runtime.store.queue.append(lease, batch);
    batch = [];
  };
  for (const entry of entries) {
    batch.push(entry);
    visitTexts(entry, (text) => {
      for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) words.add(word.toLowerCase());
      return true;
    });
    if (batch.length >= 200) await flush();
  }
  await flush();
  await api.finish(lease);
}

function* traceOf(seed: number): Generator<NewEntry> {
  for (const entry of seedEntries(traceEntries, seed)) {
    const { message_type, created_at, ...fields } = entry;
    yield newEntry(message_type, created_at ?? "2026-01-31T12:00:00.000Z", fields as Partial<NewEntry>);
  }
}

test("every run that has a word is found, between traces of tens of thousands of entries and under load", async () => {
  // Half of the small runs are older than the traces.
  const rare = Array.from({ length: wordCount / 2 }, (_, at) => `quokka${at}x`);
  const small = (at: number) =>
    [`Look at ${rare[at % rare.length]} and render it`, `rounding ${rare[(at * 7) % rare.length]}`].map((thought) =>
      newEntry("PLAN_EVALUATION", "2026-01-31T12:00:00.000Z", { thought }),
    );
  for (let at = 0; at < smallRuns / 2; at += 1) await addRun(small(at));
  for (let seed = 1; seed <= traces; seed += 1) await addRun(traceOf(seed));
  for (let at = smallRuns / 2; at < smallRuns; at += 1) await addRun(small(at));
  indexAll(api.folder);

  const counted = new Map<string, number>();
  for (const words of wordsOf.values()) for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  const usual = [...counted.keys()].filter((word) => /^[a-z]{4,}$/.test(word)).toSorted();
  const step = Math.max(1, Math.floor(usual.length / (wordCount - rare.length)));
  const asked = [...rare, "render", ...usual.filter((_, at) => at % step === 0)].slice(0, wordCount);
  assert.equal(asked.length, wordCount);

  const token = await api.token();
  const waiting = [...asked];
  let pages = 0;
  const read = async () => {
    for (let q = waiting.shift(); q !== undefined; q = waiting.shift()) {
      const found = new Set<number>();
      for (let cursor: string | null = ""; cursor !== null; pages += 1) {
        const query = new URLSearchParams({ q, limit: "20", ...(cursor !== "" && { cursor }) });
        const { status, json, text } = await api.ask("GET", `/v1/organizations/1/search?${query}`, { token });
        assert.equal(status, 200, text);
        const page = json as FoundRuns;
        for (const { run } of page.items) found.add(run.id);
        cursor = page.cursor;
      }
      const expected = [...wordsOf].flatMap(([id, words]) => ([...words].some((word) => word.startsWith(q)) ? id : []));
      const missing = expected.filter((id) => !found.has(id));
      assert.deepEqual(missing, [], `${q}: ${found.size} of ${expected.length}`);
      assert.equal(found.size, expected.length, q);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  assert.ok(pages >= wordCount);
});
