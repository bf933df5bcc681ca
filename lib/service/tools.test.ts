import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rateQuotasDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { endedRun } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const O = "/v1/organizations/1";
const execute = (tool_name: string, given: object = {}, more: { by?: string; repo_id?: number } = {}) => {
  const { by = token, ...body } = more;
  return api.ask("POST", `${O}/tools/execute`, { token: by, body: { tool_name, arguments: given, ...body } });
};
const resultOf = async (tool: string, given: object = {}) => {
  const { status, text, json } = await execute(tool, given);
  assert.deepEqual([status, json.success, json.error], [200, true, null], text);
  return json.result as Record<string, unknown>;
};

test("each tool returns what its operation returns", async () => {
  const runId = await endedRun(api, 3);
  const get = async (path: string) => (await api.asked("GET", `${O}${path}`, { token })).json;
  assert.deepEqual(await resultOf("get_run", { agent_run_id: runId }), await get(`/agent/run/${runId}`));
  assert.deepEqual(
    await resultOf("list_runs", { status: "completed", limit: 5 }),
    await get("/agent/runs?status=completed&limit=5"),
  );
  assert.deepEqual(
    await resultOf("read_log", { agent_run_id: runId, reverse: true, limit: 2 }),
    await get(`/agent/run/${runId}/logs?reverse=true&limit=2&clip=2000`),
  );
  assert.deepEqual(((await resultOf("search_runs", { q: "thought 3" })).items as unknown[]).length, 1);
  const resumed = await resultOf("resume_run", { agent_run_id: runId, prompt: "Go on" });
  assert.deepEqual([resumed.id, resumed.status], [runId, "queued"]);
  assert.equal((await resultOf("cancel_run", { agent_run_id: runId })).status, "cancelled");
});

test("start_run uses the repository given beside its arguments, unless they name one", async () => {
  const add = async (source: string) => {
    const names = { name: "a", fullName: "o/a", description: null, defaultBranch: null };
    return (await api.store.repositories.add(api.home, { ...names, source })).repository.id;
  };
  const [one, other] = [await add("/srv/one"), await add("/srv/other")];
  const started = await execute("start_run", { prompt: "Look" }, { repo_id: one });
  assert.equal((started.json.result as { repo_id: number }).repo_id, one);
  const named = await execute("start_run", { prompt: "Look", repo_id: other }, { repo_id: one });
  assert.equal((named.json.result as { repo_id: number }).repo_id, other);
});

test("a refusal of the operation is reported in the response, and nothing else is done", async () => {
  const refused = async (tool: string, given: object) => {
    const { status, json } = await execute(tool, given);
    assert.deepEqual([status, json.success, json.result, json.tool_name], [200, false, null, tool]);
    return json.error;
  };
  assert.equal(await refused("get_run", { agent_run_id: 999_999 }), "Agent run not found.");
  assert.equal(await refused("start_run", { prompt: "x", repo_id: 999_999 }), "Repository not found.");
  assert.match(String(await refused("list_runs", { status: "done" })), /^status: /);
  const foreign = await api.run({ access: api.other });
  assert.equal(await refused("cancel_run", { agent_run_id: foreign.id }), "Agent run not found.");
  assert.equal((await api.store.runs.find(api.other, foreign.id))?.status, "queued");
});

test("a tool needs the scope of its operation in addition to that of tools/execute", async () => {
  const { id } = await api.run();
  const writer = await api.token("owner", { scopes: ["runs:write"] });
  const read = await execute("get_run", { agent_run_id: id }, { by: writer });
  assert.deepEqual([read.status, String(read.json.detail).includes("runs:read")], [403, true]);
  assert.equal((await execute("cancel_run", { agent_run_id: id }, { by: writer })).status, 200);
  const reader = await api.token("viewer");
  assert.equal((await execute("get_run", { agent_run_id: id }, { by: reader })).status, 403);
});

test("a call is charged to the operation that it calls, once", async () => {
  const { limits } = api.runtime;
  const quotas = { ...rateQuotasDefault, standard: 6, create: 2 };
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => 0), { quotas, sessionFactor: 1 });
  try {
    const by = await api.token();
    const start = () => execute("start_run", { prompt: "Look" }, { by });
    assert.match(String((await start()).headers.get("ratelimit")), /"standard";r=5;.*"create";r=1;/);
    const created = await api.ask("POST", `${O}/agent/run`, { token: by, body: { prompt: "Look" } });
    assert.match(String(created.headers.get("ratelimit")), /"standard";r=4;.*"create";r=0;/);
    assert.deepEqual([(await start()).status, (await start()).json.code], [429, "rate_limited"]);
    // A refused call was charged nowhere.
    const listed = await execute("list_runs", {}, { by });
    assert.equal(listed.headers.get("ratelimit"), '"standard";r=3;t=30');
    const unreadable = { token: by, body: "{", headers: { "content-type": "application/json" } };
    const refused = await api.ask("POST", `${O}/tools/execute`, unreadable);
    assert.deepEqual([refused.status, refused.headers.get("ratelimit")], [400, '"standard";r=2;t=30']);
  } finally {
    api.runtime.limits = limits;
  }
});
