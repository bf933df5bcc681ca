import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { FoundRuns } from "#lib/contract/logs/search.ts";
import { indexAll } from "#lib/search/index-all.fixture.ts";
import { openSearchReader } from "#lib/search/log-reader.ts";
import type { FoundInRuns, SearchPosition } from "#lib/search/word-search.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

async function search(q: string, more: Record<string, string> = {}): Promise<FoundRuns> {
  const query = new URLSearchParams({ q, ...more });
  const { status, json } = await api.ask("GET", `/v1/organizations/1/search?${query}`, { token });
  assert.equal(status, 200, JSON.stringify(json));
  return json as FoundRuns;
}

const ids = ({ items }: FoundRuns) => items.map(({ run }) => run.id);

async function endedRun(texts: string[]): Promise<number> {
  const { run, lease } = await api.liveRun(someEntries(texts.length, (index) => texts[index] ?? ""));
  await api.finish(lease);
  return run.id;
}

test("runs are found by words and their beginnings in one entry, newest first, indexed or not", async () => {
  const first = await endedRun(["The quick brown fox", "lease_renewed at 12:30", "Größe ändern"]);
  const second = await endedRun(["a quicker fox of brown fur", "the lease", "世界を見る"]);
  const apart = await endedRun(["quick", "fox"]);
  for (const isIndexed of [false, true]) {
    if (isIndexed) {
      indexAll(api.folder);
      // The reader looks for a new index once a second.
      const until = Date.now() + 5000;
      while ((await search("fox")).indexed.behind_logs > 0) assert.ok(Date.now() < until);
    }
    const cases: [string, number[]][] = [
      ["quick fox", [second, first]],
      ["FOX quick", [second, first]],
      ["quicker", [second]],
      ["quick", [apart, second, first]],
      ["uick", []],
      ["lease", [second, first]],
      ["renew", [first]],
      ["lease-renewed", [first]],
      ["12", [first]],
      ["grö", [first]],
      ["röß", []],
      ["世界", [second]],
      ["界", [second]],
      ["nothing", []],
      ["...", []],
    ];
    for (const [q, expected] of cases) {
      const found = await search(q);
      assert.deepEqual([ids(found), found.total, found.indexed.complete], [expected, expected.length, true], q);
      assert.equal(found.indexed.behind_logs > 0, !isIndexed && q !== "...");
    }
    const [hit] = (await search("quick fox")).items[1]?.hits ?? [];
    assert.deepEqual(hit, {
      seq: 1,
      message_type: "PLAN_EVALUATION",
      tool_name: null,
      field: "thought",
      snippet: "The quick brown fox",
      snippet_start: 4,
      snippet_length: 5,
      matches: 1,
    });
    // Entries with the exact words come before those with longer ones.
    const [best] = (await search("lease")).items;
    assert.deepEqual([best?.matching_logs, best?.hits[0]?.snippet], [1, "the lease"]);
  }
});

test("prompts are found, also of external runs and of those that have not begun", async () => {
  const { json: external } = await api.ask("POST", "/v1/organizations/1/agent/run", {
    token,
    body: { prompt: "Count the tapirs in the zoo", agent: "external" },
  });
  const found = await search("zoo tapir");
  assert.deepEqual([ids(found), found.total, found.cursor], [[external.id], 1, null]);
  assert.deepEqual([found.items[0]?.hits, found.items[0]?.matching_logs], [[], 0]);
  assert.deepEqual(ids(await search("apirs zoo")), []);
});

test("a search goes on from its cursor until every run is searched, whatever the pages", async () => {
  const made: number[] = [];
  for (let count = 0; count < 7; count += 1) made.unshift(await endedRun([`quokka ${count}`]));
  for (const limit of ["1", "2", "3", "7", "20"]) {
    const pages: number[][] = [];
    for (let cursor: string | null = ""; cursor !== null && pages.length < 20; ) {
      const page: FoundRuns = await search("quokka", { limit, ...(cursor !== "" && { cursor }) });
      pages.push(ids(page));
      cursor = page.cursor;
    }
    assert.deepEqual(pages.flat(), made, limit);
    assert.ok(pages.every((page, index) => page.length === Number(limit) || index === pages.length - 1));
  }
  const { status, text } = await api.ask("GET", "/v1/organizations/1/search?q=quokka&cursor=x", { token });
  assert.equal(status, 400);
  assert.match(text, /cursor/);
});

test("a search that has no time still goes on with every call, in long runs too, and finds all that there is", async () => {
  const long = await endedRun(Array.from({ length: 300 }, (_, at) => (at === 250 ? "numbat" : `step ${at}`)));
  const short = await endedRun(["numbat"]);
  const totals = new Map([
    [short, 1],
    [long, 300],
  ]);
  for (const isIndexed of [false, true]) {
    if (isIndexed) indexAll(api.folder);
    const files = { storeFile: `${api.folder}/errand.db`, indexFile: `${api.folder}/search.db` };
    const reader = openSearchReader(files, (error) => assert.fail(String(error)));
    const found: [number, number[]][] = [];
    let from: SearchPosition | null = null;
    let calls = 0;
    do {
      const result: FoundInRuns = reader.search(
        {
          ...{ runIds: Float64Array.from(totals.keys()), totals: Float64Array.from(totals.values()) },
          ...{ foundByPrompt: new Float64Array(0), words: ["numbat"], from, skip: 0, limit: 20 },
        },
        0,
      );
      for (const { runId, seqs } of result.found) found.push([runId, seqs]);
      from = result.next;
      calls += 1;
      assert.ok(calls < 1000);
    } while (from !== null);
    assert.deepEqual(found, [
      [short, [1]],
      [long, [251]],
    ]);
    assert.ok(isIndexed || calls > 100, `${calls} calls`);
    reader.close();
  }
});

test("filters and pages select among the runs that contain the words", async () => {
  const made: number[] = [];
  for (let count = 0; count < 7; count += 1) made.unshift(await endedRun([`zebra ${count}`, "zebra again"]));
  const cancelled = await api.liveRun(someEntries(1, () => "zebra gone"));
  await api.store.queue.finishTurn(cancelled.lease, { status: "cancelled", result: null, summary: null, entries: [] });
  assert.deepEqual(ids(await search("zebra")), [cancelled.run.id, ...made]);
  assert.deepEqual(ids(await search("zebra", { status: "cancelled" })), [cancelled.run.id]);
  assert.deepEqual(ids(await search("zebra", { agent: "nobody" })), []);
  assert.deepEqual(ids(await search("zebra", { user_id: "1", repo_id: "9" })), []);
  assert.deepEqual(ids(await search("zebra", { created_after: "2999-01-01T00:00:00Z" })), []);
  assert.deepEqual(ids(await search("zebra", { created_before: "2999-01-01T00:00:00Z", limit: "2" })), [
    cancelled.run.id,
    made[0],
  ]);
  const page = await search("zebra", { status: "completed", skip: "4", limit: "2" });
  assert.deepEqual(ids(page), made.slice(4, 6));
  const last = await search("zebra", { status: "completed", skip: "4", limit: "3" });
  assert.deepEqual([ids(last), last.total, last.pages], [made.slice(4), 7, 3]);
});

test("nothing of another organization shows, not even in a count", async () => {
  const run = await api.run({ access: api.other });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, run.id);
  const secret: NewEntry[] = someEntries(5, () => "okapi");
  await api.store.queue.append(claimed.lease, secret);
  for (const isIndexed of [false, true]) {
    if (isIndexed) indexAll(api.folder);
    const before = await search("nothing at all");
    const found = await search("okapi");
    assert.deepEqual([found.items, found.total, found.indexed], [[], 0, before.indexed]);
    const theirs = await api.token("owner", { access: api.other });
    const { json } = await api.ask("GET", "/v1/organizations/2/search?q=okapi", { token: theirs });
    assert.deepEqual(ids(json as FoundRuns), [run.id]);
  }
  await api.finish(claimed.lease);
});

test("a run with many matches shows its best ones and says that it was not searched completely", async () => {
  const texts = Array.from({ length: 2000 }, (_, index) => (index === 5 ? "yak" : `yaks of step ${index}`));
  const run = await endedRun(texts);
  indexAll(api.folder);
  const found = await search("yak");
  assert.deepEqual(ids(found), [run]);
  assert.equal(found.items[0]?.hits.length, 3);
});
