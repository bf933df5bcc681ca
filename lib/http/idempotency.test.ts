import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answered, ApiUnderTest } from "#lib/web/api-under-test.ts";
import { holdRequest } from "#lib/web/paused-request.fixture.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";
const create = { prompt: "Elsewhere", agent: "external" };
const entries = [{ message_type: "PLAN_EVALUATION", thought: "Think first." }];

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

function post(path: string, key: string, body: unknown, as = token): Promise<Answered> {
  return api.ask("POST", `${O}${path}`, { token: as, body, headers: { "idempotency-key": key } });
}

const newRun = async () => Number((await api.ask("POST", `${O}/agent/run`, { token, body: create })).json.id);
const runsOf = async () => Number((await api.ask("GET", `${O}/agent/runs`, { token })).json.total);
const isReplayed = ({ headers }: Answered) => headers.get("idempotency-replayed");

test("a repeated create makes one run and gets the first response, marked as a replay", async () => {
  const first = await post("/agent/run", "one", create);
  const runs = await runsOf();
  await api.ask("POST", `${O}/agent/run/${first.json.id}/cancel`, { token });
  const second = await post("/agent/run", "one", create);
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(second.text, first.text);
  assert.deepEqual([isReplayed(first), isReplayed(second)], [null, "true"]);
  assert.equal(second.headers.get("content-type"), first.headers.get("content-type"));
  assert.equal(await runsOf(), runs);
});

test("resume, append and report have one effect per key", async () => {
  const id = await newRun();
  const done = { status: "completed" };
  const headers = { "idempotency-key": "end" };
  for (const replayed of [null, "true"]) {
    const appended = await post(`/agent/run/${id}/logs`, "batch", { entries });
    assert.deepEqual(appended.json, { first_seq: 1, last_seq: 1, total_logs: 1 });
    assert.equal(isReplayed(appended), replayed);
  }
  for (const replayed of [null, "true"]) {
    const ended = await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: done, headers });
    assert.deepEqual([ended.status, ended.json.status, isReplayed(ended)], [200, "completed", replayed]);
  }
  for (const replayed of [null, "true"]) {
    const resumed = await post("/agent/run/resume", "more", { agent_run_id: id, prompt: "Go on" });
    assert.deepEqual([resumed.json.turns, resumed.json.status, isReplayed(resumed)], [2, "running", replayed]);
  }
});

test("another body or another run under the same key is refused with 422", async () => {
  const [one, other] = [await newRun(), await newRun()];
  await post(`/agent/run/${one}/logs`, "k", { entries });
  for (const answered of [
    await post(`/agent/run/${one}/logs`, "k", { entries: [...entries, ...entries] }),
    await post(`/agent/run/${other}/logs`, "k", { entries }),
  ]) {
    assert.deepEqual([answered.status, answered.json.code], [422, "idempotency_mismatch"]);
  }
  assert.equal((await api.ask("GET", `${O}/agent/run/${one}`, { token })).json.total_logs, 1);
});

test("every token and every operation has its own keys", async () => {
  const id = await newRun();
  const path = `/agent/run/${id}/logs`;
  await post(path, "same", { entries });
  const stranger = await post(path, "same", { entries: [...entries, ...entries] }, await api.token());
  assert.deepEqual([stranger.status, stranger.json.last_seq], [200, 3]);
  assert.equal((await post("/agent/run", "same", create)).status, 200);
});

test("a refused request has not used its key", async () => {
  const id = await newRun();
  const path = `/agent/run/${id}/logs`;
  assert.equal((await post(path, "retry", { entries: [{ message_type: "ACTION" }] })).status, 400);
  await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: { status: "failed" } });
  assert.equal((await post(path, "retry", { entries })).status, 409);
  await api.ask("POST", `${O}/agent/run/resume`, { token, body: { agent_run_id: id, prompt: "Go on" } });
  const appended = await post(path, "retry", { entries });
  assert.deepEqual([appended.status, isReplayed(appended)], [200, null]);
});

test("while the first request is in progress, a second one with its key is told to wait", async () => {
  const id = await newRun();
  const target = `${O}/agent/run/${id}/logs`;
  const slow = await holdRequest(api, { method: "POST", target, token, key: "slow", body: { entries } });
  const second = await post(`/agent/run/${id}/logs`, "slow", { entries });
  assert.deepEqual([second.status, second.json.code, second.headers.get("retry-after")], [409, "conflict", "1"]);
  assert.equal((await slow.letThrough()).status, 200);
  const third = await post(`/agent/run/${id}/logs`, "slow", { entries });
  assert.deepEqual([third.status, isReplayed(third), third.json.last_seq], [200, "true", 1]);
});

test("a key is up to 255 printable characters, and is ignored by operations that take none", async () => {
  for (const key of ["x".repeat(256), "", "é"]) {
    const answered = await post("/agent/run", key, create);
    assert.equal(answered.status, 400);
    assert.deepEqual((answered.json.errors as { loc: unknown }[])[0]?.loc, ["header", "Idempotency-Key"]);
  }
  assert.equal((await post("/agent/run", "x".repeat(255), create)).status, 200);
  const id = await newRun();
  for (let round = 0; round < 2; round += 1) {
    const cancelled = await post(`/agent/run/${id}/cancel`, "c", undefined);
    assert.deepEqual([cancelled.status, isReplayed(cancelled)], [200, null]);
  }
});
