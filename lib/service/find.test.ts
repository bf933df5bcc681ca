import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { Found } from "#lib/contract/logs/find.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { looked, mixedEntries, needles } from "#lib/search/find-entries.fixture.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

async function find(runId: number, q: string, more: Record<string, number> = {}): Promise<Found> {
  const query = new URLSearchParams({ q, wait_ms: "20000" });
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  const { status, json } = await api.ask("GET", `/v1/organizations/1/agent/run/${runId}/logs/search?${query}`, {
    token,
  });
  assert.equal(status, 200, JSON.stringify(json));
  return json as Found;
}

test("the hits are those found by looking at every entry, for any text", async () => {
  const entries = mixedEntries(700, 5);
  const { run, lease } = await api.liveRun(entries);
  for (const q of needles) {
    const expected = looked(entries, q);
    const found = await find(run.id, q, { limit: 100, buckets: 7 });
    assert.deepEqual(
      [found.complete, found.searched_logs, found.matching_logs, found.matches],
      [true, 700, expected.length, expected.reduce((sum, { matches }) => sum + matches, 0)],
      q,
    );
    assert.deepEqual(
      found.hits.map(({ seq, matches }) => ({ seq, matches })),
      expected.slice(0, 100),
      q,
    );
    for (const { snippet, snippet_start, snippet_length } of found.hits) {
      const lower = foldCase(snippet);
      assert.ok(snippet.length <= 200 && lower.includes(foldCase(q)), `${q}: ${snippet}`);
      assert.ok(snippet_length > 0 && snippet_start + snippet_length <= snippet.length);
    }
    const parts = Array.from({ length: 7 }, (_, part) => [
      Math.floor((part * 700) / 7),
      Math.floor(((part + 1) * 700) / 7),
    ]);
    assert.deepEqual(
      found.buckets,
      parts.map(([first = 0, end = 0]) => expected.filter(({ seq }) => seq > first && seq <= end).length),
    );
  }
  await api.finish(lease);
});

test("hits are paged by rank and begin anywhere, wrapping at the end", async () => {
  const { run, lease } = await api.liveRun(someEntries(1000, (index) => (index % 10 === 4 ? "red" : "blue")));
  await api.finish(lease);
  const seqs = (found: Found) => [found.skip, ...found.hits.map(({ seq }) => seq)];
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 3 })), [0, 5, 15, 25]);
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 3, skip: 98 })), [98, 985, 995]);
  assert.deepEqual(seqs(await find(run.id, "red", { skip: 100 })), [null]);
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 2, around_seq: 5 })), [0, 5, 15]);
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 2, around_seq: 6 })), [1, 15, 25]);
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 2, around_seq: 996 })), [0, 5, 15]);
  assert.deepEqual(seqs(await find(run.id, "red", { limit: 2, around_seq: 5000 })), [0, 5, 15]);
  assert.deepEqual(seqs(await find(run.id, "green", { around_seq: 500 })), [null]);
});

test("a hit is read once, however often its page is asked for, in a log that grows too", async (t) => {
  const { run, lease } = await api.liveRun(someEntries(30, (index) => (index % 10 === 4 ? "red" : "blue")));
  const { scanner } = api.runtime;
  const read: number[] = [];
  const { show } = scanner;
  t.mock.method(scanner, "show", (...[places, query]: Parameters<typeof show>) => {
    read.push(...places.map(({ seq }) => seq));
    return show(places, query);
  });
  const first = await find(run.id, "red", { limit: 2 });
  const again = await find(run.id, "red");
  await api.store.queue.append(
    lease,
    someEntries(1, () => "red at last"),
  );
  const grown = await find(run.id, "RED");
  assert.deepEqual([...again.hits.slice(0, 2)], first.hits);
  assert.deepEqual(
    grown.hits.map(({ seq }) => seq),
    [5, 15, 25, 31],
  );
  assert.deepEqual(read, [5, 15, 25, 31]);
  await api.finish(lease);
});

test("an early answer says what is known, and asking again continues to the end", async () => {
  const { run, lease } = await api.liveRun(someEntries(20_000, (index) => `step ${index + 1}`));
  await api.finish(lease);
  const early = await find(run.id, "step 1", { wait_ms: 0, around_seq: 15_000 });
  assert.deepEqual([early.complete, early.hits, early.skip], [false, [], null]);
  for (let last = early; ; ) {
    const next = await find(run.id, "step 1", { wait_ms: 1, around_seq: 15_000, limit: 1 });
    assert.ok(next.searched_logs >= last.searched_logs);
    for (const { seq } of next.hits) assert.equal(seq, 15_000);
    if (next.complete) break;
    last = next;
  }
  const whole = await find(run.id, "step 1", { around_seq: 15_000, limit: 1 });
  assert.deepEqual([whole.matching_logs, whole.skip], [11_111, 1 + 10 + 100 + 1000 + 5000]);
});

test("if requested, an answer comes as soon as a hit of the page is known", async () => {
  const { run, lease } = await api.liveRun(
    someEntries(40_000, (index) => (index === 20_000 ? "here" : `step ${index}`)),
  );
  await api.finish(lease);
  // No hit of the page is known until everything is searched, so the answer comes only then.
  const none = await find(run.id, "nowhere", { hits_wait_ms: 0 });
  assert.deepEqual([none.complete, none.hits], [true, []]);
  const second = await find(run.id, "here", { hits_wait_ms: 0, skip: 1 });
  assert.deepEqual([second.complete, second.matching_logs], [true, 1]);
  const early = await find(run.id, "step 2", { hits_wait_ms: 0, limit: 3 });
  assert.ok(!early.complete && early.hits.length > 0, `${early.searched_logs}`);
  assert.equal(early.hits[0]?.seq, 3);
  // Few enough to be searched in time on a busy machine, and more than are searched before the first hit is known.
  const small = await api.liveRun(someEntries(4000, (index) => `step ${index}`));
  await api.finish(small.lease);
  const due = await find(small.run.id, "step 3", { hits_wait_ms: 20_000, limit: 3 });
  assert.equal(due.complete, true);
});

test("a run that grows is searched up to its newest entry at every call", async () => {
  const { run, lease } = await api.liveRun(0);
  assert.deepEqual((await find(run.id, "entry")).complete, true);
  for (let count = 1; count <= 40; count += 1) {
    await api.store.queue.append(
      lease,
      someEntries(count, () => `entry of ${count}`),
    );
    const found = await find(run.id, "ENTRY", { skip: (count * (count + 1)) / 2 - 1 });
    assert.deepEqual([found.complete, found.matching_logs], [true, (count * (count + 1)) / 2]);
    assert.equal(found.hits[0]?.snippet, `entry of ${count}`);
    assert.equal((await find(run.id, `of ${count}`)).matching_logs >= count, true);
  }
  await api.finish(lease);
});

test("an entry of 10 MB is searched completely", async () => {
  const output = `${"quiet line\n".repeat(1_000_000)}the END`;
  const huge: NewEntry = {
    ...(someEntries(1)[0] as NewEntry),
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: {},
    tool_output: { output },
  };
  const { run, lease } = await api.liveRun([huge, ...someEntries(3)]);
  await api.finish(lease);
  const found = await find(run.id, "The end");
  assert.deepEqual([found.matching_logs, found.hits[0]?.field], [1, "tool_output.output"]);
  assert.equal((await find(run.id, "QUIET")).matches, 1_000_000);
});

test("another organization's run looks like a missing one", async () => {
  const run = await api.run({ access: api.other });
  const path = `/logs/search?q=a`;
  assert.equal((await api.ask("GET", `/v1/organizations/1/agent/run/${run.id}${path}`, { token })).status, 404);
  assert.equal((await api.ask("GET", `/v1/organizations/2/agent/run/${run.id}${path}`, { token })).status, 403);
  assert.equal((await api.ask("GET", `/v1/organizations/1/agent/run/${run.id}${path}`)).status, 401);
  await api.store.runs.cancel(api.other, run.id);
});
