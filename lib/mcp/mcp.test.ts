// A real client and a real engine, which all cases share: each takes seconds to start.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  discoverOAuthProtectedResourceMetadata,
  extractResourceMetadataUrl,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import { mintToken } from "#lib/auth/token-secret.ts";
import { mcpTools } from "#lib/contract/openapi/mcp-tools.ts";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { networkUnderTest, sh } from "#lib/engine/engine.fixture.ts";
import { Engine } from "#lib/engine/engine.ts";
import { createRunWorkspace } from "#lib/engine/run-workspace.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import type { Front } from "#lib/web/front.ts";
import { PreparedState } from "#lib/web/prepared-state.fixture.ts";

let api: ApiUnderTest;
let front: Front;
let engine: Engine;

before(async () => {
  api = await ApiUnderTest.open();
  front = await api.serve();
  api.runtime.publicUrl = front.url;
  await api.store.agents.replaceAll([listedAgent("steps", { title: "Steps", has_model: false, is_default: true })]);
  const environment = { PATH: process.env.PATH ?? "" };
  engine = new Engine({
    store: api.store,
    driver: acpDriver(environment),
    workspace: createRunWorkspace({ dataDir: api.dataDir, environment, sandbox: "process-group" }),
    prepared: { bytesMax: 0, usableMs: 0 },
    isolation: "leash",
    profiles: builtInProfiles.filter(({ id }) => id === "steps"),
    prepareTrace: () => Promise.reject(new Error("nothing is analyzed here")),
    findMcpServers: async () => [],
    network: networkUnderTest(api.folder, environment),
    limits: { startMs: 60_000, inactivityMs: 120_000, turnMs: 120_000, questionMs: 10_000, stopGraceMs: 2000 },
    concurrency: 2,
    leaseMs: 15_000,
    pollMs: 10,
    warmMs: 0,
    engineId: "test",
    logger: api.runtime.logger,
  });
});
after(async () => {
  await engine.stop();
  await front.close();
  await api.close();
});

/** A real client, connected; closed by its test. */
async function connected(token: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" });
  const sent = { authorization: `Bearer ${token}`, ...headers };
  const transport = new StreamableHTTPClientTransport(new URL(`${front.url}/mcp`), { requestInit: { headers: sent } });
  // The SDK's own types do not work with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const call = async (name: string, given: Record<string, unknown> = {}, more = {}) => {
    const result = (await client.callTool({ name, arguments: given }, undefined, more)) as CallToolResult;
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "";
    return { text, isError: result.isError === true, data: result.structuredContent ?? Object(result._meta?.problem) };
  };
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

function post(body: unknown, headers: Record<string, string> = {}, method = "POST"): Promise<Response> {
  const accept = "application/json, text/event-stream";
  const sent = { accept, "content-type": "application/json", ...headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(`${front.url}/mcp`, { method, headers: sent, ...(method === "POST" ? { body: text } : {}) });
}

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("a client sees every tool with its input, and what it may do", async () => {
  await using mcp = await connected(await api.token());
  assert.deepEqual(mcp.client.getServerVersion()?.name, "errand");
  const { tools } = await mcp.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    mcpTools.map(({ name }) => name),
  );
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  assert.equal(hints.get("read_log")?.readOnlyHint, true);
  assert.deepEqual([hints.get("cancel_run")?.readOnlyHint, hints.get("cancel_run")?.destructiveHint], [false, true]);
  const start = tools.find(({ name }) => name === "start_run")?.inputSchema;
  assert.deepEqual(start?.required, ["prompt"]);
  assert.ok(Object.keys(start?.properties ?? {}).includes("permission_mode"));
});

// Before the engine starts, so nobody picks up the answer.
test("a wait does not stop at a question whose answer is not picked up yet", async () => {
  await using mcp = await connected(await api.token());
  const id = await new PreparedState(api).askingRun();
  const wait = () => mcp.call("wait_for_run", { agent_run_id: id, seconds: 1 });
  assert.equal((await wait()).data.outcome, "question");
  const answered = await mcp.call("answer_question", { agent_run_id: id, question_id: "q", option_id: "allow" });
  assert.equal(Object(Object(answered.data).question).answered, true, answered.text);
  assert.equal((await wait()).data.outcome, "working");
  await mcp.call("cancel_run", { agent_run_id: id });
});

test("a client starts a run, waits for its end with progress, reads it and searches it", async () => {
  engine.start();
  await using mcp = await connected(await api.token("member"));
  // It ends only after the first report of its progress.
  const go = join(api.folder, "go");
  const untilGo = `until [ -e ${go} ]; do sleep 0.05; done`;
  const started = await mcp.call("start_run", { prompt: sh("echo needle-in-a-run", untilGo), agent: "steps" });
  assert.equal(started.isError, false, started.text);
  assert.equal(started.data.status, "queued");
  const id = started.data.id;
  const progress: Progress[] = [];
  const onprogress = (one: Progress) => {
    progress.push(one);
    writeFileSync(go, "");
  };
  const waited = await mcp.call("wait_for_run", { agent_run_id: id }, { onprogress });
  const run = Object(waited.data.run);
  assert.deepEqual([waited.data.outcome, run.id, run.status], ["ended", id, "completed"]);
  assert.match(waited.text, /^The run has ended\./);
  assert.ok(progress.length > 0 && progress.every(({ total }) => total === 50));
  const log = await mcp.call("read_log", { agent_run_id: id, limit: 2 });
  assert.deepEqual(
    (log.data.logs as { seq: number }[]).map(({ seq }) => seq),
    [1, 2],
  );
  assert.equal(log.data.total_logs, run.total_logs);
  const actions = await mcp.call("read_log", { agent_run_id: id, message_type: "ACTION", clip: 3, reverse: true });
  assert.ok((actions.data.logs as { clipped?: string[] }[]).some(({ clipped }) => clipped !== undefined));
  const found = await mcp.call("find_in_run", { agent_run_id: id, q: "needle-in-a-run" });
  assert.ok(Number(found.data.matching_logs) > 0);
  assert.match(found.text, /needle-in-a-run/);
  const searched = await mcp.call("search_runs", { q: "needle" });
  assert.deepEqual(
    (searched.data.items as { run: { id: number } }[]).map((item) => item.run.id),
    [id],
  );
  const analysis = await mcp.call("analyze", { agent_run_id: id });
  assert.equal(Object(analysis.data.outcome).status, "completed");
  assert.match((await mcp.call("list_agents")).text, /^steps /);
  assert.equal((await mcp.call("list_repositories")).data.total, 0);
  const listed = await mcp.call("list_runs", { status: "completed" });
  assert.deepEqual([listed.data.total, listed.data.size], [1, 20]);
});

test("a question ends a wait, is answered by a tool, and the run continues", async () => {
  engine.start();
  await using mcp = await connected(await api.token("member"));
  const key = "one-run";
  const asked = { prompt: sh("touch made"), agent: "steps", permission_mode: "ask", idempotency_key: key };
  const id = (await mcp.call("start_run", asked)).data.id;
  assert.equal((await mcp.call("start_run", asked)).data.id, id);
  const waited = await mcp.call("wait_for_run", { agent_run_id: id });
  assert.equal(waited.data.outcome, "question", waited.text);
  const { id: question, options } = Object(Object(waited.data.run).question);
  const { id: option } = options.find(({ kind }: { kind: string }) => kind === "allow_once");
  const answered = await mcp.call("answer_question", { agent_run_id: id, question_id: question, option_id: option });
  assert.equal(answered.isError, false, answered.text);
  assert.equal((await mcp.call("wait_for_run", { agent_run_id: id })).data.outcome, "ended");
});

test("a live run is still live when the wait is over; cancelled and resumed it is the same run", async () => {
  engine.start();
  await using mcp = await connected(await api.token("member"));
  const { id } = (await mcp.call("start_run", { prompt: sh("sleep 600"), agent: "steps" })).data;
  assert.equal((await mcp.call("wait_for_run", { agent_run_id: id, seconds: 1 })).data.outcome, "working");
  await mcp.call("cancel_run", { agent_run_id: id });
  const ended = await mcp.call("wait_for_run", { agent_run_id: id });
  assert.equal(Object(ended.data.run).status, "cancelled");
  const resumed = await mcp.call("resume_run", { agent_run_id: id, prompt: sh("echo again") });
  assert.deepEqual([resumed.data.id, resumed.data.turns], [id, 2]);
  const again = await mcp.call("wait_for_run", { agent_run_id: id });
  assert.equal(Object(again.data.run).status, "completed");
});

test("a refusal is an error result with the API's message: a viewer, bad input, another organization, a missing run", async () => {
  await using viewer = await connected(await api.token("viewer"));
  const refused = await viewer.call("start_run", { prompt: "Look around" });
  assert.deepEqual([refused.isError, refused.data.code], [true, "forbidden"]);
  assert.equal(refused.text, "This needs the scope runs:write, which your role or token does not have.");
  const missing = await viewer.call("get_run", { agent_run_id: 999_999 });
  assert.deepEqual([missing.isError, missing.text], [true, "Agent run not found."]);
  const wrong = await viewer.call("read_log", { agent_run_id: 1, limit: 500 });
  assert.deepEqual([wrong.isError, wrong.text], [true, "limit: must be at most 100"]);
  const unknown = await viewer.call("get_run", { agent_run_id: 1, verbose: true });
  assert.match(unknown.text, /^verbose: is not known; get_run takes agent_run_id$/);
  await assert.rejects(viewer.call("drop_table"), /There is no tool drop_table/);

  await using foreign = await connected(await api.token(), { "x-organization-id": "2" });
  const other = await foreign.call("list_runs");
  assert.deepEqual([other.isError, other.text], [true, "You do not have access to this organization."]);
  await using broken = await connected(await api.token(), { "x-organization-id": "1/users" });
  assert.equal((await broken.call("list_runs")).text, "x-organization-id: must be a whole number");

  const before = (await api.asked("GET", "/v1/organizations/1/agent/runs", { token: await api.token() })).json.total;
  await using repository = await connected(await api.token(), { "x-repo-id": "77", "x-organization-id": "1" });
  assert.equal((await repository.call("start_run", { prompt: "Look" })).text, "Repository not found.");
  const now = (await api.asked("GET", "/v1/organizations/1/agent/runs", { token: await api.token() })).json.total;
  assert.equal(now, before);
});

test("without a token, with a wrong or revoked one, or by cookie: 401 with WWW-Authenticate", async () => {
  const bare = await post(listTools);
  assert.equal(bare.status, 401);
  assert.match(bare.headers.get("www-authenticate") ?? "", /^Bearer resource_metadata=/);
  const wrong = await post(listTools, { authorization: `Bearer ${mintToken().secret}` });
  assert.equal(wrong.status, 401);
  assert.match(wrong.headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token", /);
  const { cookie } = (await api.member("admin")).headers;
  assert.equal((await post(listTools, { cookie, "sec-fetch-site": "same-origin" })).status, 401);
  await assert.rejects(connected("nothing"), StreamableHTTPError);
});

test("a client that asks how to sign in is told where tokens come from, by the 401 and at the well-known addresses", async () => {
  const metadata = `${front.url}/.well-known/oauth-protected-resource/mcp`;
  const refused = await fetch(`${front.url}/mcp`, {
    method: "POST",
    headers: { authorization: "Bearer errand_wrong" },
  });
  assert.equal(
    refused.headers.get("www-authenticate"),
    `Bearer error="invalid_token", resource_metadata="${metadata}"`,
  );
  assert.equal(extractResourceMetadataUrl(refused)?.href, metadata);
  const found = await discoverOAuthProtectedResourceMetadata(`${front.url}/mcp`);
  assert.deepEqual([found.resource, found.authorization_servers], [`${front.url}/mcp`, undefined]);
  const root = await fetch(`${front.url}/.well-known/oauth-protected-resource`);
  assert.deepEqual(await root.json(), found);
  assert.equal((await fetch(metadata, { method: "POST" })).status, 405);
  assert.equal((await fetch(`${metadata}/x`)).status, 404);
});

test("the server accepts only POST from its own origin, of known sizes and versions", async () => {
  const authorization = `Bearer ${await api.token()}`;
  for (const method of ["GET", "DELETE"]) {
    const answer = await post(null, { authorization }, method);
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
  }
  assert.equal((await post(listTools, { authorization, origin: "https://evil.test" })).status, 403);
  assert.equal((await post(listTools, { authorization, "mcp-protocol-version": "1999-01-01" })).status, 400);
  assert.equal((await post(listTools, { authorization, accept: "application/json" })).status, 406);
  assert.equal((await post("{", { authorization })).status, 400);
  assert.equal((await post("", { authorization })).status, 400);
  assert.equal((await post({ hello: 1 }, { authorization })).status, 400);
  assert.equal((await post("x".repeat(1024 * 1024 + 1), { authorization })).status, 413);
  assert.equal((await post(Array(21).fill(listTools), { authorization })).status, 400);
  const good = await post(listTools, { authorization, "mcp-protocol-version": "2025-06-18" });
  assert.equal(good.status, 200);
  assert.equal(good.headers.get("mcp-session-id"), null);
});

test("a tool is charged as its operation, anything else as a standard request; 429 says when to retry", async (t) => {
  const wide = api.runtime.limits;
  t.after(() => {
    api.runtime.limits = wide;
  });
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => 0), rateSettingsDefault);
  const authorization = `Bearer ${await api.token()}`;
  const call = (name: string, given = {}) =>
    post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }, { authorization });
  assert.equal((await post(listTools, { authorization })).headers.get("ratelimit"), '"standard";r=59;t=30');
  assert.equal((await call("list_runs")).headers.get("ratelimit"), '"standard";r=58;t=30');
  await call("list_runs", { limit: 0 });
  await call("nothing");
  const unread = await post("{", { authorization });
  assert.deepEqual([unread.status, unread.headers.get("ratelimit")], [400, '"standard";r=55;t=30']);
  assert.equal((await call("list_runs")).headers.get("ratelimit"), '"standard";r=54;t=30');
  let last: { result?: CallToolResult } = {};
  for (let count = 0; count < 12; count += 1) {
    last = (await (await call("start_run", { prompt: "Look", agent: "external" })).json()) as typeof last;
  }
  assert.equal(last.result?.isError, true);
  assert.equal(Object(last.result?._meta?.problem).code, "rate_limited");
  assert.ok(Number(Object(last.result?._meta?.problem).retry_after) > 0);
  assert.match(JSON.stringify(last.result?.content), /Try again after \d+ seconds\./);
});

test("numbers that JavaScript cannot hold have their digits in a tool's text and structured result", async () => {
  const token = await api.token();
  const numbers = '{"id":107505301260286111,"rate":1E400}';
  const path = "/v1/organizations/1/agent/run";
  const asked = { token, headers: { "content-type": "application/json" } };
  const made = `{"prompt":"Count","agent":"external","metadata":${numbers}}`;
  const { id } = (await api.ask("POST", path, { ...asked, body: made })).json;
  const entry = `{"message_type":"ACTION","tool_name":"get","tool_input":${numbers},"tool_output":${numbers}}`;
  await api.ask("POST", `${path}/${id}/logs`, { ...asked, body: `{"entries":[${entry}]}` });
  const textOf = async (name: string) => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { agent_run_id: id } } };
    return (await post(call, { authorization: `Bearer ${token}` })).text();
  };
  const log = await textOf("read_log");
  assert.equal(log.split(numbers).length - 1, 3, "metadata, input and output");
  assert.ok(log.includes("#1 ACTION get: 107505301260286111 · 1E400 · 107505301260286111 · 1E400"), log);
  assert.ok((await textOf("get_run")).includes(`"metadata":${numbers}`));
});

test("an answer is never shown as that of a later message", async () => {
  await using mcp = await connected(await api.token("member"));
  const { id } = (await mcp.call("start_run", { prompt: "one", agent: "external" })).data;
  const path = `/v1/organizations/1/agent/run/${id}`;
  const report = async (body: object) => api.asked("PATCH", path, { token: await api.token(), body });
  const texts = async () => {
    const listed = (await mcp.call("list_runs", { limit: 1 })).text.split("\n")[1];
    return [(await mcp.call("get_run", { agent_run_id: id })).text.split("\n").at(-1), listed];
  };
  await report({ status: "completed", result: "First.", summary: "First." });
  assert.deepEqual(await texts(), ["Result: First.", `Run ${id}, completed, no repository: First.`]);
  const resumed = await mcp.call("resume_run", { agent_run_id: id, prompt: "two" });
  assert.match(resumed.text, /Result of turn 1, not of the latest: First\.$/);
  const waited = await mcp.call("wait_for_run", { agent_run_id: id, seconds: 1 });
  assert.match(waited.text, /still working: wait again\.\n.*\nResult of turn 1, not of the latest: First\.$/);
  const old = `Run ${id}, running, no repository: asked: one (turn 1 answered: First.)`;
  assert.deepEqual(await texts(), ["Result of turn 1, not of the latest: First.", old]);
  await report({ status: "failed" });
  assert.deepEqual(await texts(), ["Result of turn 1, not of the latest: First.", old.replace("running", "failed")]);
  await mcp.call("resume_run", { agent_run_id: id, prompt: "three" });
  await report({ status: "completed", result: "Third.", summary: "Third." });
  assert.deepEqual(await texts(), ["Result: Third.", `Run ${id}, completed, no repository: Third.`]);
});

test("what a run changed is read, listed and handed on, and every result is as its tool's schema says", async () => {
  await using mcp = await connected(await api.token());
  // From here on the client checks each structured result against the tool's schema.
  const { tools } = await mcp.client.listTools();
  assert.ok(tools.every(({ outputSchema }) => outputSchema?.type === "object"));
  assert.ok(JSON.stringify(tools).length < 150_000);
  const { data: started } = await mcp.call("start_run", {
    prompt: sh("echo one > a.txt; seq 9 > b.txt"),
    agent: "steps",
  });
  const id = Number(started.id);
  await mcp.call("wait_for_run", { agent_run_id: id });
  const { data: resumed } = await mcp.call("resume_run", { agent_run_id: id, prompt: sh("echo two >> a.txt") });
  assert.equal(resumed.id, id);
  await mcp.call("wait_for_run", { agent_run_id: id });
  const all = await mcp.call("get_diff", { agent_run_id: id });
  assert.match(all.text, /^diff --git a\/a\.txt[\s\S]*\+one\n\+two[\s\S]*\+9\n$/);
  assert.equal(all.data.text, all.text);
  const last = await mcp.call("get_diff", { agent_run_id: id, since_turn: 1 });
  assert.equal(last.isError, false, last.text);
  assert.deepEqual([/^\+two$/m.test(last.text), /^\+one$/m.test(last.text)], [true, false]);
  const file = await mcp.call("read_file", { agent_run_id: id, path: "a.txt", turn: 1 });
  assert.deepEqual([file.text, file.data.encoding], ["one\n", "utf-8"]);
  const missing = await mcp.call("read_file", { agent_run_id: id, path: "none" });
  assert.deepEqual([missing.isError, missing.data.status], [true, 404]);
  for (const name of ["push_run", "open_pull_request"]) {
    const refused = await mcp.call(name, { agent_run_id: id });
    assert.deepEqual([refused.isError, refused.data.status], [true, 409], `${name}: ${refused.text}`);
  }
  const { repository } = await api.store.repositories.add(api.home, {
    ...{ name: "app", fullName: "app", description: null, defaultBranch: "main" },
    source: "https://x.example/app.git",
  });
  const others: [string, object][] = [
    ["list_queue", { agent_run_id: id }],
    ["list_denials", { agent_run_id: id }],
    ["get_setup", { repo_id: repository.id }],
    ...["list_models", "list_agents", "list_repositories", "list_runs"].map((name): [string, object] => [name, {}]),
    ...["get_run", "read_log", "analyze"].map((name): [string, object] => [name, { agent_run_id: id }]),
    ["search_runs", { q: "two" }],
    ["find_in_run", { agent_run_id: id, q: "two" }],
  ];
  for (const [name, given] of others) {
    const answered = await mcp.call(name, given as Record<string, unknown>);
    assert.equal(answered.isError, false, `${name}: ${answered.text}`);
    assert.notEqual(answered.text, "");
  }
  const weak = await connected(await api.token("viewer"));
  const refused = await weak.call("push_run", { agent_run_id: id });
  assert.deepEqual([refused.isError, refused.data.status], [true, 403]);
  await weak.client.close();
});
