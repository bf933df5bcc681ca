// Tier: rest
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { contentText, lastPlan, startAgent, tempFolder, textOf, toolCalls } from "./agent-under-test.ts";

const notFound = (error: unknown) => error instanceof Error && "code" in error && error.code === -32002;
const invalid = (error: unknown) => error instanceof Error && "code" in error && error.code === -32602;

test("the agent says that it has no model and reports no usage", async (t) => {
  const { agent, prompt, newSession, updates } = await startAgent(t);
  const answer = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  assert.deepEqual(answer.agentInfo, { name: "steps", title: "Built-in steps runner (no model)", version: "0.1.0" });
  assert.deepEqual(answer.agentCapabilities?.sessionCapabilities, { resume: {}, close: {} });
  await prompt(await newSession(tempFolder(t)), "```sh\ntrue\n```");
  const kinds = new Set(updates.map((update) => update.sessionUpdate));
  assert.deepEqual([...kinds].sort(), [
    "agent_message_chunk",
    "agent_thought_chunk",
    "plan",
    "tool_call",
    "tool_call_update",
  ]);
});

test("a session offers the three modes and refuses others", async (t) => {
  const { agent } = await startAgent(t);
  const { sessionId, modes } = await agent.request("session/new", { cwd: tempFolder(t), mcpServers: [] });
  assert.deepEqual(
    [modes?.currentModeId, modes?.availableModes.map(({ id }) => id)],
    ["auto", ["ask", "auto", "read-only"]],
  );
  await assert.rejects(agent.request("session/set_mode", { sessionId, modeId: "root" }), invalid);
});

test("a kept session is loaded by another process with its history replayed", async (t) => {
  const [stateFolder, cwd] = [tempFolder(t), tempFolder(t)];
  const first = await startAgent(t, { stateFolder });
  const sessionId = await first.newSession(cwd, "ask");
  await first.agent.request("session/set_mode", { sessionId, modeId: "auto" });
  await first.prompt(sessionId, "Say it.\n```sh\necho one\n```\n```text path=a.txt\nx\n```");
  await first.prompt(sessionId, "```sh\nexit 3\n```\n```sh\ntrue\n```");

  const second = await startAgent(t, { stateFolder });
  const { modes } = await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  assert.equal(modes?.currentModeId, "auto");
  const kindsOf = (updates: SessionUpdate[], turn: number) => {
    const starts = updates.flatMap((update, index) => (update.sessionUpdate === "user_message_chunk" ? [index] : []));
    return updates.slice(starts[turn], starts[turn + 1]).map((update) => update.sessionUpdate);
  };
  const step = ["agent_thought_chunk", "tool_call", "tool_call_update"];
  const start = ["user_message_chunk", "agent_thought_chunk", "plan"];
  assert.deepEqual(kindsOf(second.updates, 0), [...start, ...step, ...step, "agent_message_chunk"]);
  assert.deepEqual(kindsOf(second.updates, 1), [...start, ...step, "agent_message_chunk"]);
  assert.equal(textOf(second.updates, "agent_message_chunk"), textOf(first.updates, "agent_message_chunk"));
  assert.deepEqual(lastPlan(second.updates), lastPlan(first.updates));
  const shown = (updates: SessionUpdate[]) =>
    toolCalls(updates).map(({ toolCallId, title, name, kind, status, rawInput, rawOutput }) => {
      return { toolCallId, title, name, kind, status, rawInput, rawOutput };
    });
  assert.deepEqual(shown(second.updates), shown(first.updates));

  second.updates.length = 0;
  assert.deepEqual(await second.prompt(sessionId, "```sh\necho two\n```"), { stopReason: "end_turn" });
});

test("resume continues a session in its mode without replaying it", async (t) => {
  const [stateFolder, cwd] = [tempFolder(t), tempFolder(t)];
  const first = await startAgent(t, { stateFolder });
  const sessionId = await first.newSession(cwd, "read-only");
  await first.prompt(sessionId, "Hello");
  const second = await startAgent(t, { stateFolder });
  const { modes } = await second.agent.request("session/resume", { sessionId, cwd, mcpServers: [] });
  assert.deepEqual([modes?.currentModeId, second.updates.length], ["read-only", 0]);
  assert.deepEqual(await second.prompt(sessionId, "```sh\ntrue\n```"), { stopReason: "end_turn" });
  assert.equal(toolCalls(second.updates)[0]?.status, "failed");
});

test("a step whose agent was killed is replayed as failed, with its known output", async (t) => {
  const [stateFolder, cwd] = [tempFolder(t), tempFolder(t)];
  const first = await startAgent(t, { stateFolder });
  const sessionId = await first.newSession(cwd);
  const answer = first.prompt(sessionId, "```sh\nsleep 1000\n```").catch(() => "connection lost");
  await first.waitFor((update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  await answer;

  const second = await startAgent(t, { stateFolder });
  await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  const [call] = toolCalls(second.updates);
  assert.deepEqual([call?.status, call?.rawInput], ["failed", { command: "sleep 1000" }]);
  assert.equal(contentText(call), "The agent was stopped before this step ended.");
});

test("unknown sessions, broken ones and invalid ids are answered as not found", async (t) => {
  const [stateFolder, cwd] = [tempFolder(t), tempFolder(t)];
  const { agent } = await startAgent(t, { stateFolder });
  const broken = "0e4f5f0e-5a5e-4b57-8f8e-111111111111";
  writeFileSync(join(stateFolder, `${broken}.json`), '{"version":1}');
  for (const sessionId of [broken, "0e4f5f0e-5a5e-4b57-8f8e-222222222222", "../../etc/passwd", ""]) {
    await assert.rejects(agent.request("session/load", { sessionId, cwd, mcpServers: [] }), notFound);
    await assert.rejects(agent.request("session/resume", { sessionId, cwd }), notFound);
    await assert.rejects(
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "x" }] }),
      notFound,
    );
  }
});

test("a working folder that is relative or missing is refused", async (t) => {
  const { agent } = await startAgent(t);
  for (const cwd of ["lib", join(tempFolder(t), "missing")]) {
    await assert.rejects(agent.request("session/new", { cwd, mcpServers: [] }), invalid);
  }
});

test("session files are readable by their owner alone", async (t) => {
  const stateFolder = join(tempFolder(t), "new");
  const { newSession, prompt } = await startAgent(t, { stateFolder });
  const sessionId = await newSession(tempFolder(t));
  await prompt(sessionId, "```sh\ntrue\n```");
  assert.deepEqual(readdirSync(stateFolder), [`${sessionId}.json`]);
  assert.equal(statSync(stateFolder).mode & 0o777, 0o700);
  assert.equal(statSync(join(stateFolder, `${sessionId}.json`)).mode & 0o777, 0o600);
});

test("a second prompt while a turn runs is refused and does not disturb it", async (t) => {
  const { agent, newSession, prompt, waitFor } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t));
  const answer = prompt(sessionId, "```sh\nsleep 1000\n```");
  await waitFor((update) => update.sessionUpdate === "tool_call_update");
  assert.match(JSON.stringify(await prompt(sessionId, "```sh\ntrue\n```")), /a turn of this session is running/);
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
});

test("the answer says that parts of a prompt other than text were left out", async (t) => {
  const { agent, newSession, updates } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t));
  const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
  const texts = ["```sh\necho 1", "```sh\necho 2"].map((text) => ({ type: "text" as const, text }));
  await agent.request("session/prompt", { sessionId, prompt: [...texts, image] });
  assert.equal(toolCalls(updates).length, 2);
  assert.match(textOf(updates, "agent_thought_chunk"), /left out 1 other part of the prompt/);
});
