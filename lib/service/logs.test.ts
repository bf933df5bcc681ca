import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { type Answered, ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
let path: string;
const total = 250;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  const { run, lease } = await api.liveRun(total);
  await api.store.queue.finishTurn(lease, { status: "completed", result: "ok", summary: "ok", entries: [] });
  path = `${O}/agent/run/${run.id}`;
});
after(() => api.close());

type Shown = { seq: number; thought: string; clipped?: string[] };
const logsOf = (answered: Answered) => answered.json.logs as Shown[];
const seqs = (answered: Answered) => logsOf(answered).map((entry) => entry.seq);
const range = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => (first < last ? first + index : first - index));

test("pages contain exactly what skip and limit say, in both directions, and count everything", async () => {
  const pages: [string, number[], [number, number, number]][] = [
    ["", range(1, 100), [1, 100, 3]],
    ["?skip=0&limit=7", range(1, 7), [1, 7, 36]],
    ["?skip=100", range(101, 200), [2, 100, 3]],
    ["?skip=200&limit=100", range(201, 250), [3, 100, 3]],
    ["?skip=30&limit=20", range(31, 50), [2, 20, 13]],
    ["?skip=250", [], [3, 100, 3]],
    ["?skip=100000000&limit=1", [], [100_000_001, 1, 250]],
    ["?reverse=true&limit=3", [250, 249, 248], [1, 3, 84]],
    ["?reverse=1&skip=248", [2, 1], [3, 100, 3]],
    ["?reverse=false&limit=1", [1], [1, 1, 250]],
    ["?reverse=true&skip=250", [], [3, 100, 3]],
  ];
  for (const prefix of [path, path.replace("/v1/", "/v1/alpha/")]) {
    for (const [query, expected, figures] of pages) {
      for (const clip of ["", `${query === "" ? "?" : "&"}clip=5`]) {
        const answered = await api.ask("GET", `${prefix}/logs${query}${clip}`, { token });
        assert.equal(answered.status, 200);
        assert.deepEqual(seqs(answered), expected, query + clip);
        const { page, size, pages: count } = answered.json;
        assert.deepEqual([page, size, count, answered.json.total_logs], [...figures, total], query);
      }
    }
  }
});

test("the page is the run with its logs, and every key of an entry is present", async () => {
  const run = await api.ask("GET", path, { token });
  const { logs, page, size, pages, ...rest } = (await api.ask("GET", `${path}/logs?limit=1`, { token })).json;
  assert.deepEqual(rest, run.json);
  assert.deepEqual([page, size, pages], [1, 1, 250]);
  assert.deepEqual(logs, [
    {
      agent_run_id: run.json.id,
      seq: 1,
      created_at: "2026-01-31T23:59:59.000Z",
      message_type: "PLAN_EVALUATION",
      tool_call_id: null,
      thought: "thought 1",
      tool_name: null,
      tool_input: null,
      tool_output: null,
      observation: null,
    },
  ]);
});

test("clip cuts longer strings and names them; the whole entry stays available", async () => {
  const entries: NewEntry[] = someEntries(3, (index) => "abcdefgh".repeat(index * 50 + 1));
  const { run, lease } = await api.liveRun(entries);
  await api.finish(lease);
  const own = `${O}/agent/run/${run.id}`;
  const clipped = logsOf(await api.ask("GET", `${own}/logs?clip=100`, { token }));
  assert.deepEqual(
    clipped.map((entry) => [entry.thought.length, entry.clipped]),
    [
      [8, undefined],
      [100, ["thought"]],
      [100, ["thought"]],
    ],
  );
  assert.equal(String((await api.ask("GET", `${own}/logs/3`, { token })).json.thought).length, 808);
  const stream = await api.ask("GET", `${own}/logs/stream?clip=100&after=1`, { token });
  assert.deepEqual([...stream.text.matchAll(/"clipped":\["thought"\]/g)].length, 2);
});

test("a client that has the response gets 304, until the run changes or the query is another", async () => {
  const { run, lease } = await api.liveRun(3);
  const own = `${O}/agent/run/${run.id}`;
  for (const place of [own, `${own}/logs`, `${own}/logs?limit=2`, `${own}/diff`, `${own}/logs/1`]) {
    const first = await api.ask("GET", place, { token });
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^W\/"[\w-]+"$/);
    assert.equal(first.headers.get("cache-control"), "private, no-cache");
    const again = await api.ask("GET", place, { token, headers: { "if-none-match": `"x", ${etag}` } });
    assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], place);
    assert.ok(again.headers.has("x-request-id"));
  }
  const tagOf = async (place: string) => (await api.ask("GET", place, { token })).headers.get("etag");
  const before = [await tagOf(own), await tagOf(`${own}/logs`)];
  assert.notEqual(await tagOf(`${own}/logs?limit=2`), before[1]);
  await api.store.queue.append(lease, someEntries(1));
  assert.notEqual(await tagOf(own), before[0]);
  assert.notEqual(await tagOf(`${own}/logs`), before[1]);
  await api.finish(lease);
});

/** Only the analysis of all entries has an ETag; on a busy machine the first answers may be about a part. */
async function wholeAnalysis(token: string) {
  for (;;) {
    const answer = await api.ask("GET", `${path}/analysis`, { token });
    if (answer.headers.get("etag") !== null) return answer;
  }
}

test("a token that asks for the reference service's vocabulary gets it, and filters accept both", async () => {
  const reference = await api.token("owner", { style: "reference" });
  const waiting = await api.run();
  const own = `${O}/agent/run/${waiting.id}`;
  const status = async (place: string) => (await api.ask("GET", place, { token: reference })).json.status;
  assert.equal(await status(own), "PENDING");
  assert.equal(await status(`${own}/logs`), "PENDING");
  assert.equal(await status(path), "COMPLETE");
  assert.equal((await api.ask("GET", path, { token })).json.status, "completed");
  const listed = await api.ask("GET", `${O}/agent/runs?status=PENDING`, { token: reference });
  const items = listed.json.items as { id: number; status: string }[];
  assert.deepEqual(
    items.map((item) => [item.id, item.status]),
    [[waiting.id, "PENDING"]],
  );
  const mixed = await api.ask("GET", `${O}/agent/runs?status=queued&status=COMPLETE`, { token });
  assert.ok(Number(mixed.json.total) > 1);
  const analysis = await wholeAnalysis(reference);
  assert.equal(fieldsOf(analysis.json.outcome).status, "COMPLETE");
  const ours = await wholeAnalysis(token);
  assert.equal(fieldsOf(ours.json.outcome).status, "completed");
  assert.notEqual(ours.headers.get("etag"), analysis.headers.get("etag"));
  await api.store.runs.cancel(api.home, waiting.id);
  const stream = await api.ask("GET", `${own}/logs/stream`, { token: reference });
  assert.match(stream.text, /event: end\nid: end-\d+\ndata: \{.*"status":"CANCELLED"/);
});

test("a run that is cancelled, resumed and cancelled again reports its actual state", async () => {
  const run = await api.run();
  const own = `${O}/agent/run/${run.id}`;
  const statuses = [
    await api.ask("POST", `${own}/cancel`, { token }),
    await api.ask("POST", `${own}/cancel`, { token }),
    await api.ask("POST", `${O}/agent/run/resume`, { token, body: { agent_run_id: run.id, prompt: "again" } }),
    await api.ask("POST", `${O}/agent/run/resume`, { token, body: { agent_run_id: run.id, prompt: "and again" } }),
    await api.ask("POST", "/v1/beta/organizations/1/agent/run/stop", { token, body: { agent_run_id: run.id } }),
  ];
  assert.deepEqual(
    statuses.map((answered) => [answered.status, answered.json.status]),
    [
      [200, "cancelled"],
      [200, "cancelled"],
      [200, "queued"],
      [200, "queued"],
      [200, "cancelled"],
    ],
  );
});

test("an answer to a question that is not open (any more) is 409", async () => {
  const run = await api.run();
  const body = { question_id: "q", option_id: "allow" };
  assert.equal((await api.ask("POST", `${O}/agent/run/${run.id}/answer`, { token, body })).status, 409);
  await api.store.runs.cancel(api.home, run.id);
});
