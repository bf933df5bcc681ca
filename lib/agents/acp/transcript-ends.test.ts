import assert from "node:assert/strict";
import { test } from "node:test";
import { replay } from "./transcript.fixture.ts";

test("cancelling closes the open tool as cancelled and ends with the interruption; the next turn works", (t) => {
  for (const agent of ["claude", "codex", "gemini", "opencode", "steps"]) {
    const turns = replay(t, `${agent}.cancel-tool`);
    if (turns === null) return;
    const [first, second] = turns;
    assert.equal(first?.end.status, "cancelled", agent);
    const [action, interruption] = first.entries.slice(-2);
    assert.deepEqual([action?.message_type, action?.tool_output?.status], ["ACTION", "cancelled"], agent);
    assert.equal(interruption?.message_type, "USER_MESSAGE", agent);
    assert.match(JSON.stringify(interruption?.observation), /"kind":"interruption"/, agent);
    assert.equal(second?.end.status, "completed", agent);
  }
});

test("cancelling a stream keeps what was said", (t) => {
  for (const agent of ["claude", "codex", "gemini", "opencode"]) {
    const [first] = replay(t, `${agent}.cancel-stream`) ?? [];
    if (first === undefined) return;
    assert.equal(first.end.status, "cancelled", agent);
    assert.match(first.entries.at(-1)?.thought ?? "", /Thinking slowly[\s\S]*word0 word1/, agent);
  }
});

test("cancelling an open question closes its tool as cancelled", (t) => {
  const turns = replay(t, "claude.cancel-perm") ?? [];
  for (const { end, entries } of turns) {
    assert.equal(end.status, "cancelled");
    assert.equal(entries.at(-2)?.tool_output?.status, "cancelled");
  }
});

test("a refused tool is rejected once, whatever the agent does with it", (t) => {
  for (const [name, refused, status] of [
    ["claude.perm-reject", 3, "completed"],
    ["gemini.perm-reject", 4, "completed"],
    ["codex-ask.perm-reject", 1, "cancelled"],
    ["opencode-ask.perm-reject", 1, "completed"],
  ] as const) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const rejected = turn.entries.filter((entry) => entry.tool_output?.status === "rejected");
    assert.equal(rejected.length, refused, name);
    for (const { tool_output } of rejected) {
      assert.deepEqual(tool_output?.permission, { decision: "rejected", option: "reject_once", by: "person" }, name);
    }
    assert.equal(turn.end.status, status, name);
  }
});

test("upstream failures are an ERROR, even if the agent reports the end of a turn", (t) => {
  for (const [name, code] of [
    ["claude.err401", "sign_in_needed"],
    ["codex.err401", "sign_in_needed"],
    ["codex.err500", "agent_system_error"],
    ["gemini.err401", "sign_in_needed"],
    ["opencode.err401", "sign_in_needed"],
    ["opencode.err500", -32603],
  ] as const) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    assert.equal(turn.end.status, "failed", name);
    const last = turn.entries.at(-1);
    assert.equal(last?.message_type, "ERROR", name);
    assert.equal(Object(last?.observation).code, code, name);
  }
});

test("a refused key is one error for every agent: what the endpoint said, whose it is, and how to sign in", (t) => {
  for (const [name, said] of [
    ["claude.err401", "Failed to authenticate. API Error: 401 stub: invalid api key"],
    ["codex.err401", "Authentication required"],
    ["gemini.err401", "stub: invalid api key"],
    ["opencode.err401", "stub: invalid api key"],
  ] as const) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    assert.equal(
      Object(turn.entries.at(-1)?.observation).message,
      `The agent is not signed in, or its key does not work: “${said}”. Sign in. Then send the message again.`,
      name,
    );
  }
});

test("an agent that is killed in the middle of a tool leaves it interrupted, and an ERROR", (t) => {
  for (const agent of ["claude", "codex", "opencode", "steps"]) {
    const [turn] = replay(t, `${agent}.kill-tool`) ?? [];
    if (turn === undefined) return;
    assert.equal(turn.end.status, "failed", agent);
    const [action, error] = turn.entries.slice(-2);
    assert.deepEqual([action?.tool_output?.status, error?.message_type], ["interrupted", "ERROR"], agent);
  }
});

test("the replay of a loaded session leaves no entries, and figures add up over attempts", (t) => {
  for (const agent of ["claude", "codex", "opencode", "steps"]) {
    const turns = replay(t, `${agent}.load`);
    if (turns === null) return;
    assert.equal(turns.length, 2, agent);
    if (agent !== "steps")
      assert.deepEqual(
        turns[1]?.entries.map((entry) => entry.message_type),
        ["USER_MESSAGE", "FINAL_ANSWER"],
        agent,
      );
    const [first, second] = turns.map((turn) => turn.figures);
    if (first?.tokens) assert.ok((second?.tokens?.total ?? 0) > first.tokens.total, agent);
  }
  const claude = replay(t, "claude.load")?.[1]?.figures.costUsd ?? 0;
  assert.equal(Number(claude.toFixed(6)), 0.352164);
  const opencode = replay(t, "opencode.load")?.[1]?.figures.costUsd ?? 0;
  assert.equal(Number(opencode.toFixed(6)), 0.076457);
});
