import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Answer } from "#lib/http/answer.ts";
import { type Call, callOf } from "#lib/http/call.ts";
import { answerMcp } from "#lib/mcp/mcp-door.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;

before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("a token that is revoked during a wait ends it with the API's message", async () => {
  const run = await api.store.runs.create(api.home, plainRun("x", { agent: "external" }));
  const token = await api.token();
  const closed = async (call: Call): Promise<Answer> => {
    const answer = await api.api(call);
    if (!call.target.includes("/stream")) return answer;
    await api.asked("DELETE", `/v1/organizations/1/tokens/${await tokenIdOf(token)}`, { token });
    return { ...answer, body: (async function* () {})() };
  };
  const answer = await answerMcp(callOf(waitRequest(run.id, token)), { runtime: api.runtime, api: closed });
  assert.ok(Array.isArray(answer.body));
  const { result } = JSON.parse(Buffer.concat(answer.body).toString());
  assert.deepEqual([result.isError, result._meta.problem.code], [true, "unauthenticated"]);
  assert.equal(result.content[0].text, "The token is unknown, expired or revoked.");
});

async function tokenIdOf(token: string): Promise<unknown> {
  const { json } = await api.asked("GET", "/v1/organizations/1/tokens", { token });
  return (json.items as { id: number; hint: string }[]).find(({ hint }) => token.endsWith(hint.slice(-4)))?.id;
}

function waitRequest(runId: number, token: string): Request {
  const params = { name: "wait_for_run", arguments: { agent_run_id: runId } };
  const headers = { accept: "application/json, text/event-stream" };
  return api.request("POST", "/mcp", { token, headers, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
}

test("a client that disconnects ends its wait, and the stream that it followed", async () => {
  const run = await api.store.runs.create(api.home, plainRun("x", { agent: "external" }));
  const gone = new AbortController();
  const streams: Call[] = [];
  const followed = async (call: Call): Promise<Answer> => {
    if (call.target.includes("/stream")) streams.push(call);
    const answer = await api.api(call);
    if (streams.length > 0) setImmediate(() => gone.abort());
    return answer;
  };
  const asked = waitRequest(run.id, await api.token());
  await answerMcp({ ...callOf(asked), signal: gone.signal }, { runtime: api.runtime, api: followed });
  assert.deepEqual(
    streams.map(({ signal }) => signal.aborted),
    [true],
  );
});
