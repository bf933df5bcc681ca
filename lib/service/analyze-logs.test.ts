import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  await api.store.agents.replaceAll([
    listedAgent("claude", { title: "Claude Code" }),
    listedAgent("codex", { title: "Codex", ready: false, reason: "Sign in." }),
    listedAgent("steps", { title: "Steps", has_model: false }),
  ]);
});
after(() => api.close());

const ask = (method: string, path: string, asked: Asked = {}) => api.ask(method, `${O}${path}`, { token, ...asked });
const analyze = (id: number, asked: Asked = {}) => ask("POST", `/agent/run/${id}/analyze-logs`, asked);

async function endedRun(): Promise<number> {
  await drainQueue();
  const { run, lease } = await api.liveRun(3);
  await api.finish(lease);
  return run.id;
}

async function drainQueue(): Promise<void> {
  for (;;) {
    const claimed = await api.store.queue.claim("engine", 60_000);
    if (claimed === null) return;
    const end = { result: null, summary: null, entries: [] };
    while ((await api.store.queue.finishTurn(claimed.lease, { status: "completed", ...end })) !== null);
  }
}

test("without a body the built-in analysis is queued as a separate run, and both runs link each other", async () => {
  const id = await endedRun();
  const before = (await ask("GET", `/agent/run/${id}`)).json;
  const { status, json } = await analyze(id);
  const analysis = Number(json.agent_run_id);
  assert.equal(status, 200);
  assert.deepEqual(json, {
    agent_run_id: analysis,
    status: "queued",
    message: `Run #${analysis} analyzes the log of run #${id}.`,
  });
  const made = (await ask("GET", `/agent/run/${analysis}`)).json;
  assert.deepEqual(
    [made.agent, made.permission_mode, made.source_type, made.repo_id, made.prompt],
    ["analysis", "read-only", "API", null, `Analyze the log of run #${id}.`],
  );
  const now = (await ask("GET", `/agent/run/${id}`)).json;
  assert.deepEqual(now, { ...before, total_logs: 4 });
  const last = (await ask("GET", `/agent/run/${id}/logs?reverse=true&limit=1`)).json.logs as Record<string, unknown>[];
  assert.deepEqual(last[0]?.observation, {
    agent_run_id: analysis,
    relation: "analysed_by",
    web_url: `http://errand.test/runs/${analysis}`,
  });
});

test("a named agent gets its model and the question", async () => {
  const id = await endedRun();
  const body = { agent: "claude", model: "large", prompt: "Why did it stop?" };
  const { json } = await analyze(id, { body });
  const made = (await ask("GET", `/agent/run/${json.agent_run_id}`)).json;
  assert.deepEqual(
    [made.agent, made.permission_mode, made.prompt],
    ["claude", "read-only", `Analyze the log of run #${id}.\n\nWhy did it stop?`],
  );
  const refused = await analyze(await endedRun(), { body: { agent: "codex" } });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Sign in/);
});

test("a null stands for an absent field, and the sandbox of a run has its id", async () => {
  const body = { agent: null, model: null, prompt: null };
  const id = await endedRun();
  const { status, json } = await ask("POST", `/sandbox/${id}/analyze-logs`, { body });
  assert.equal(status, 200);
  assert.equal((await ask("GET", `/agent/run/${json.agent_run_id}`)).json.agent, "analysis");
});

test("a run without entries is refused in the reference service's words", async () => {
  const { id } = await api.run();
  const { status, json } = await analyze(id);
  assert.deepEqual([status, json.message, json.status_code], [400, "No logs available for analysis", 400]);
});

test("a second analysis while one is at work is refused with the id of the first, and so is resuming an old one", async () => {
  const id = await endedRun();
  const old = Number((await analyze(id)).json.agent_run_id);
  await drainQueue();
  const first = Number((await analyze(id)).json.agent_run_id);
  const second = await analyze(id);
  assert.deepEqual([second.status, second.json.agent_run_id, second.json.code], [409, first, "conflict"]);
  assert.ok(second.text.includes(String(first)));
  const resume = (runId: number) =>
    ask("POST", "/agent/run/resume", { body: { agent_run_id: runId, prompt: "Again" } });
  const resumed = await resume(old);
  assert.deepEqual([resumed.status, resumed.json.agent_run_id], [409, first]);
  const sent = await ask("POST", `/agent/run/${old}/queue/send`);
  assert.deepEqual([sent.status, sent.json.agent_run_id], [409, first]);
  assert.equal((await resume(first)).status, 200);
  await drainQueue();
  assert.equal((await analyze(id)).status, 200);
});

test("a key has one effect: the same analysis is returned again", async () => {
  const id = await endedRun();
  const headers = { "idempotency-key": "analyse once" };
  const [first, second] = [await analyze(id, { headers }), await analyze(id, { headers })];
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.equal((await analyze(id, { headers, body: { agent: "claude" } })).status, 422);
  assert.equal((await ask("GET", `/agent/run/${id}`)).json.total_logs, 4);
});

test("a live run is analyzed too, and a viewer may not ask for it", async () => {
  await drainQueue();
  const { run, lease } = await api.liveRun(2);
  assert.equal((await analyze(run.id)).status, 200);
  assert.equal((await ask("GET", `/agent/run/${run.id}`)).json.total_logs, 2);
  const following = ask("GET", `/agent/run/${run.id}/logs/stream`);
  await api.finish(lease);
  assert.match((await following).text, /event: entry\nid: 3\ndata: .*analysed_by[\s\S]*event: end/);
  assert.equal((await ask("GET", `/agent/run/${run.id}`)).json.total_logs, 3);
  assert.equal((await analyze(run.id, { token: await api.token("viewer") })).status, 403);
});

test("a shared page shows nothing of the analysis", async () => {
  const id = await endedRun();
  const { json: share } = await ask("POST", `/agent/run/${id}/shares`, { body: {} });
  const { json } = await analyze(id);
  const shared = await api.ask("GET", `/v1/shares/${share.token}/logs`);
  const last = (shared.json.logs as Record<string, unknown>[]).at(-1);
  assert.deepEqual([last?.message_type, last?.observation], ["AGENT_RUN_LINK", null]);
  assert.ok(!shared.text.includes(`runs/${json.agent_run_id}`));
});
