// Tier: rest
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contentText, gitRepository, lastPlan, startAgent, tempFolder, textOf, toolCalls } from "./agent-under-test.ts";

const twoSteps = "```sh\ntouch one\n```\n```text path=two\n2\n```";

test("in the ask mode every step is asked for with its tool call", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, questions, updates } = await startAgent(t, { answers: ["allow_once", "allow_once"] });
  assert.deepEqual(await prompt(await newSession(cwd, "ask"), twoSteps), { stopReason: "end_turn" });
  assert.deepEqual(
    questions.map(({ toolCall }) => [toolCall.name, toolCall.rawInput]),
    [
      ["shell", { command: "touch one" }],
      ["write_file", { path: "two", content: "2\n" }],
    ],
  );
  assert.deepEqual(
    questions[0]?.options.map(({ kind }) => kind),
    ["allow_once", "allow_always", "reject_once"],
  );
  assert.equal(questions[0]?.toolCall.toolCallId, toolCalls(updates)[0]?.toolCallId);
  assert.ok(existsSync(join(cwd, "one")) && existsSync(join(cwd, "two")));
});

test("allowing always ends the questions for the session", async (t) => {
  const { prompt, newSession, questions } = await startAgent(t, { answers: ["allow_always"] });
  const sessionId = await newSession(tempFolder(t), "ask");
  assert.deepEqual(await prompt(sessionId, twoSteps), { stopReason: "end_turn" });
  assert.deepEqual(await prompt(sessionId, "```sh\ntrue\n```"), { stopReason: "end_turn" });
  assert.equal(questions.length, 1);
});

test("allowing always holds in another process that loads the session", async (t) => {
  const [stateFolder, cwd] = [tempFolder(t), tempFolder(t)];
  const first = await startAgent(t, { stateFolder, answers: ["allow_always"] });
  const sessionId = await first.newSession(cwd, "ask");
  assert.deepEqual(await first.prompt(sessionId, twoSteps), { stopReason: "end_turn" });
  const second = await startAgent(t, { stateFolder });
  await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  assert.deepEqual(await second.prompt(sessionId, "```sh\ntouch three\n```"), { stopReason: "end_turn" });
  assert.deepEqual([first.questions.length, second.questions.length], [1, 0]);
  assert.ok(existsSync(join(cwd, "three")));
});

test("a rejected step is not run, its tool call fails and the turn ends without an error", async (t) => {
  const cwd = gitRepository(t, { a: "a\n" });
  const { prompt, newSession, updates } = await startAgent(t, { answers: ["reject_once"] });
  assert.deepEqual(await prompt(await newSession(cwd, "ask"), twoSteps), { stopReason: "end_turn" });
  const calls = toolCalls(updates);
  assert.deepEqual([calls.length, calls[0]?.status], [1, "failed"]);
  assert.equal(contentText(calls[0]), "Not run: permission was rejected.");
  assert.ok(!existsSync(join(cwd, "one")) && !existsSync(join(cwd, "two")));
  assert.match(textOf(updates, "agent_message_chunk"), /^Step 1 of 2 was rejected by the person asked\./);
  assert.deepEqual(lastPlan(updates), [
    { content: "touch one (not run, rejected)", status: "completed" },
    { content: "Write two", status: "pending" },
  ]);
});

test("a survey asks too, and stops at a rejection", async (t) => {
  const cwd = gitRepository(t, { a: "a\n" });
  const { prompt, newSession, updates } = await startAgent(t, { answers: ["allow_once", "reject_once"] });
  assert.deepEqual(await prompt(await newSession(cwd, "ask"), "Hello"), { stopReason: "end_turn" });
  assert.deepEqual(
    toolCalls(updates).map(({ status }) => status),
    ["completed", "failed"],
  );
  assert.match(textOf(updates, "agent_message_chunk"), /Step 2 of 3 was rejected by the person asked/);
});

test("in the read-only mode an explicit step is rejected with the reason", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, updates, questions } = await startAgent(t);
  assert.deepEqual(await prompt(await newSession(cwd, "read-only"), twoSteps), { stopReason: "end_turn" });
  assert.deepEqual(
    [toolCalls(updates)[0]?.status, questions.length, existsSync(join(cwd, "one"))],
    ["failed", 0, false],
  );
  assert.match(
    textOf(updates, "agent_message_chunk"),
    /^Step 1 of 2 was rejected: the session is in the read-only mode/,
  );
});

test("cancel while a question is open ends the turn as cancelled", async (t) => {
  const { agent, prompt, newSession, updates, waitFor } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t), "ask");
  const answer = prompt(sessionId, twoSteps);
  await waitFor((update) => update.sessionUpdate === "tool_call");
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
  assert.equal(contentText(toolCalls(updates)[0]), "cancelled");
});

test("a question answered as cancelled ends the turn as cancelled", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession } = await startAgent(t, { answers: ["cancelled"] });
  assert.deepEqual(await prompt(await newSession(cwd, "ask"), twoSteps), { stopReason: "cancelled" });
  assert.ok(!existsSync(join(cwd, "one")));
});
