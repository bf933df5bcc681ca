// `codegen claude`: Claude Code in somebody's own terminal, whose hooks and log watcher post what happens there.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { z } from "zod";
import { attributesOf, logsInProtobuf, logsRequest, metricsRequest } from "#lib/otlp/otlp-messages.fixture.ts";
import { Rules, RunWithLogs, ShownRun } from "./client-fields.fixture.ts";
import { type Client, needs, O, ReferenceService, refused } from "./reference-service.fixture.ts";

let service: ReferenceService;
let token: string;
let terminal: Client;
const sent = { "content-type": "application/json", "user-agent": "python-requests/2.32.3", accept: "*/*" };

before(async () => {
  service = await ReferenceService.open();
  token = await service.token();
  terminal = service.client({ ...sent, authorization: `Bearer ${token}` });
});
after(() => service.close());

const Opened = z.object({ agent_run_id: z.int() });
const line = (type: "user" | "assistant", content: unknown) => ({
  type,
  uuid: randomUUID(),
  timestamp: "2026-01-31T12:00:00.000Z",
  sessionId: "s",
  message: { role: type, content },
});

test("the rules are appended to the system prompt: text or null", async () => {
  assert.equal(needs(await terminal("GET", `${O}/cli/rules`), Rules).organization_rules, null);
  await terminal("PATCH", `${O}/settings`, { rules: "Use tabs." });
  assert.equal(needs(await terminal("GET", `${O}/cli/rules`), Rules).organization_rules, "Use tabs.");
});

test("hooks and the watcher: session, prompt, one POST a line, Stop, and again", async () => {
  const sessionId = randomUUID();
  const { agent_run_id: id } = needs(
    await terminal("POST", `${O}/claude_code/session`, { session_id: sessionId }),
    Opened,
  );
  const session = `${O}/claude_code/session/${sessionId}`;
  const log = async (entry: object) => needs(await terminal("POST", `${session}/log`, { log: entry }), Opened);
  const report = async (status: string) => needs(await terminal("POST", `${session}/status`, { status }), Opened);
  const run = async () => needs(await terminal("GET", `${O}/agent/run/${id}`), ShownRun);

  await report("ACTIVE");
  await log(line("user", "Fix the build"));
  await log(line("assistant", [{ type: "tool_use", id: "a", name: "Bash", input: { command: "make" } }]));
  await log(line("user", [{ type: "tool_result", tool_use_id: "a", content: "built" }]));
  await log(line("assistant", [{ type: "text", text: "It builds." }]));
  assert.deepEqual([(await run()).status, (await run()).source_type], ["ACTIVE", "LOCAL"]);
  await report("COMPLETE");
  assert.deepEqual([(await run()).status, (await run()).result], ["COMPLETE", "It builds."]);

  await report("ACTIVE");
  await log(line("user", "And the tests"));
  assert.equal((await run()).status, "ACTIVE");
  await report("ERROR");
  assert.equal((await run()).status, "FAILED");
  const { logs } = needs(await terminal("GET", `${O}/agent/run/${id}/logs`), RunWithLogs);
  assert.deepEqual(
    logs.map(({ message_type }) => message_type),
    ["USER_MESSAGE", "ACTION", "FINAL_ANSWER", "USER_MESSAGE", "ERROR"],
  );
  // The hook of a reopened session must find the same run.
  const again = await terminal("POST", `${O}/claude_code/session`, { session_id: sessionId });
  assert.equal(needs(again, Opened).agent_run_id, id);
});

test("a refusal says why in `detail`, which is all that the warning shows", async () => {
  refused(await terminal("POST", `${O}/claude_code/session`, { session_id: "mine" }), 400);
  const nobodys = `${O}/claude_code/session/${randomUUID()}`;
  assert.equal(
    refused(await terminal("POST", `${nobodys}/log`, { log: {} }), 404).message,
    "Claude Code session not found.",
  );
  refused(await terminal("POST", `${nobodys}/status`, { status: "ACTIVE" }), 404);
});

test("telemetry, as Claude Code's own exporters send it, JSON and protobuf", async () => {
  const Taken = z.object({ success: z.literal(true), message: z.string(), received_count: z.int() });
  const sessionId = randomUUID();
  const opened = await terminal("POST", `${O}/claude_code/session`, { session_id: sessionId });
  const { agent_run_id: id } = needs(opened, Opened);
  const attributes = attributesOf({ "session.id": sessionId, "event.name": "api_request", cost_usd: 0.5 });
  const logs = logsRequest([{ timeUnixNano: "1769860800123000000", attributes }]);
  assert.equal(needs(await terminal("POST", `${O}/telemetry/v1/logs`, logs), Taken).received_count, 1);
  const metrics = metricsRequest("claude_code.cost.usage", [{ timeUnixNano: "1", asDouble: 1, attributes }]);
  assert.equal(needs(await terminal("POST", `${O}/telemetry/v1/metrics`, metrics), Taken).received_count, 1);
  const packed = await fetch(`${service.url}${O}/telemetry/v1/logs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-protobuf" },
    body: Buffer.from(logsInProtobuf(logs)),
  });
  assert.deepEqual([packed.status, packed.headers.get("content-type")], [200, "application/x-protobuf"]);
  // This client names its person by the token itself, in the attributes of the resource and of each record.
  const named = attributesOf({ "user.id": token, "organization.id": "1", "service.name": "claude-code" });
  const spoken = logsRequest([{ timeUnixNano: "2", attributes: [...attributes, ...named] }], named);
  needs(await terminal("POST", `${O}/telemetry/v1/logs`, spoken, { "x-verbose-telemetry": "true" }), Taken);
  const { text } = await terminal("GET", `${O}/agent/run/${id}/telemetry`);
  assert.deepEqual([text.includes("api_request"), text.includes(token)], [true, false]);
  needs(await terminal("GET", `${O}/telemetry/health`), z.object({ success: z.literal(true), message: z.string() }));
});

test("the MCP server that `claude mcp add` names responds with and without a slash, and to the reference's headers", async () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "claude-code", version: "2.1" } },
  };
  const more = { accept: "application/json, text/event-stream", "x-organization-id": "1", "x-repo-id": "1" };
  for (const path of ["/mcp", "/mcp/"]) {
    const { status, text } = await terminal("POST", path, initialize, more);
    assert.deepEqual([status, /"serverInfo":\{"name":"errand"/.test(text)], [200, true], text);
  }
  assert.equal((await service.client(sent)("POST", "/mcp", initialize, more)).status, 401);
});
