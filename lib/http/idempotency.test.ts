import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { operations } from "#lib/contract/operations.ts";
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
/** Rows of the store. */
function stored(query: string): Record<string, unknown>[] {
  using database = new DatabaseSync(`${api.folder}/errand.db`, { readOnly: true });
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
}
const isReplayed = ({ headers }: Answered) => headers.get("idempotency-replayed");

test("a repeated create makes one run and gets the first response, marked as a replay", async () => {
  const first = await post("/agent/run", "one", create);
  const runs = await runsOf();
  await api.ask("POST", `${O}/agent/run/${first.json.id}/cancel`, { token });
  const second = await post("/agent/run", "one", create);
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(second.text, first.text);
  assert.deepEqual([isReplayed(first), isReplayed(second)], ["false", "true"]);
  assert.equal(second.headers.get("content-type"), first.headers.get("content-type"));
  assert.equal(await runsOf(), runs);
});

test("resume, append and report have one effect per key", async () => {
  const id = await newRun();
  const done = { status: "completed" };
  const headers = { "idempotency-key": "end" };
  for (const replayed of ["false", "true"]) {
    const appended = await post(`/agent/run/${id}/logs`, "batch", { entries });
    assert.deepEqual(appended.json, { first_seq: 1, last_seq: 1, total_logs: 1 });
    assert.equal(isReplayed(appended), replayed);
  }
  for (const replayed of ["false", "true"]) {
    const ended = await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: done, headers });
    assert.deepEqual([ended.status, ended.json.status, isReplayed(ended)], [200, "completed", replayed]);
  }
  for (const replayed of ["false", "true"]) {
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
  assert.deepEqual([appended.status, isReplayed(appended)], [200, "false"]);
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

test("a key is up to 255 printable characters; what can be repeated takes one, and what cannot refuses it", async () => {
  for (const key of ["x".repeat(256), "", "é"]) {
    const answered = await post("/agent/run", key, create);
    assert.equal(answered.status, 400);
    assert.deepEqual((answered.json.errors as { loc: unknown }[])[0]?.loc, ["header", "Idempotency-Key"]);
  }
  assert.equal((await post("/agent/run", "x".repeat(255), create)).status, 200);
  const id = await newRun();
  for (let round = 0; round < 2; round += 1) {
    const cancelled = await post(`/agent/run/${id}/cancel`, "c", undefined);
    assert.deepEqual([cancelled.status, isReplayed(cancelled)], [200, "false"]);
  }
  const again = await post("/webhooks/agent-run/test", "t", undefined);
  assert.deepEqual([again.status, again.json.code], [400, "invalid_parameters"]);
  assert.match(String(again.json.detail), /^Idempotency-Key: is not taken here/);
  const reference = await api.token("owner", { style: "reference" });
  const ignored = await post("/webhooks/agent-run/test", "t", undefined, reference);
  assert.doesNotMatch(ignored.text, /Idempotency/);
  const changed = { token, body: { rules: "Be brief." }, headers: { "idempotency-key": "p" } };
  assert.equal((await api.ask("PATCH", `${O}/settings`, changed)).status, 200);
});

test("every POST with a token says what a key does there, and what it creates is created once", async () => {
  const silent = operations.filter(
    ({ method, scope, idempotent }) => method === "POST" && scope !== null && idempotent === null,
  );
  assert.deepEqual(silent.map(({ id }) => id).sort(), ["signInToAgent", "testIntegration", "testWebhook"]);
  const id = await newRun();
  const asked: [string, object][] = [
    [`/agent/run/${id}/shares`, { days: 3 }],
    ["/invitations", { role: "viewer", note: "a" }],
    ["/tokens", { name: "ci", role: "viewer" }],
    ["/users/1/reset", {}],
    ["/v1/organizations", { name: "Second" }],
    ["/tools/execute", { tool_name: "start_run", arguments: create }],
  ];
  for (const [path, body] of asked) {
    const send = (given: object) =>
      api.ask("POST", path.startsWith("/v1") ? path : `${O}${path}`, {
        token,
        ...(Object.keys(given).length === 0 ? {} : { body: given }),
        headers: { "idempotency-key": "created" },
      });
    const first = await send(body);
    assert.deepEqual([first.status, isReplayed(first)], [200, "false"], first.text);
    const second = await send(Object.fromEntries(Object.entries(body).reverse()));
    assert.deepEqual([second.status, isReplayed(second), second.text], [200, "true", first.text], path);
    assert.equal(first.headers.get("content-type"), second.headers.get("content-type"));
  }
  const kept = stored("select body from idempotency_keys");
  for (const { body } of kept) assert.match(String(body), /^[\d,]*:[\w.+/=-]+$|^$/, "nothing is stored in clear");
});

test("a tool that only reads is asked again, and one that failed has not used its key", async () => {
  const execute = (key: string, tool_name: string, args: object) =>
    post("/tools/execute", key, { tool_name, arguments: args });
  const before = await execute("list", "list_runs", {});
  await newRun();
  const after = await execute("list", "list_runs", {});
  assert.deepEqual([isReplayed(before), isReplayed(after)], ["false", "false"]);
  assert.notEqual(before.text, after.text);
  const id = await newRun();
  const resume = () => execute("resume", "resume_run", { agent_run_id: id, prompt: "more" });
  await api.ask("POST", `${O}/agent/run/${id}/ban`, { token, body: { agent_run_id: id } });
  const failed = await execute("resume", "resume_run", { agent_run_id: 999_999, prompt: "more" });
  assert.deepEqual([failed.json.success, isReplayed(failed)], [false, "false"]);
  const done = await resume();
  assert.deepEqual([done.json.success, isReplayed(done)], [true, "false"], done.text);
  assert.equal((await resume()).text, done.text);
});

test("when a run is deleted, no stored response names it any more", async () => {
  const { json } = await post("/tools/execute", "gone", { tool_name: "start_run", arguments: create });
  const { id } = json.result as { id: number };
  const shared = await post(`/agent/run/${id}/shares`, "gone", {});
  assert.equal(shared.status, 200, shared.text);
  await post("/agent/run/resume", "gone", { agent_run_id: id, prompt: "more" });
  await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: { status: "completed" } });
  const deleted = await api.ask("DELETE", `${O}/agent/run/${id}`, { token });
  assert.equal(deleted.status, 200, deleted.text);
  const kept = stored("select status, body from idempotency_keys where key = 'gone'");
  assert.deepEqual(kept, Array(3).fill({ status: 404, body: "" }));
  const again = await post("/tools/execute", "gone", { tool_name: "start_run", arguments: create });
  assert.equal(again.status, 404);
});
