import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { never, observed, start, startProblem, until } from "./driver-under-test.fixture.ts";
import { keptCharactersMax } from "./storable.ts";

test("an agent that falls silent is stopped after the limit and the run times out", async (t) => {
  const { turn, outputs } = await start(t, {}, { limits: { inactivityMs: 300 } });
  const { status, all } = await turn("SILENT");
  assert.match(outputs.join("\n"), /"heard_at":"/, "the page can show since when it is silent");
  assert.equal(status, "timed_out");
  assert.equal(observed(all.at(-1)).code, "inactivity_timeout");
});

test("an agent that keeps talking is not silent, but its turn has an end", async (t) => {
  const { turn } = await start(t, {}, { limits: { inactivityMs: 5000, turnMs: 500, stopGraceMs: 100 } });
  const { status, all } = await turn("TICK 1000");
  assert.equal(status, "timed_out");
  assert.equal(observed(all.at(-1)).code, "turn_timeout");
});

test("an agent that dies in the middle closes its tools and leaves an ERROR with its exit code", async (t) => {
  const { turn } = await start(t, {});
  const { status, all, types } = await turn("EXIT");
  assert.deepEqual([status, types], ["failed", ["USER_MESSAGE", "ACTION", "ERROR"]]);
  assert.equal(all[1]?.tool_output?.status, "interrupted");
  const { code, message, data } = observed(all[2]);
  assert.equal(code, "agent_exited");
  assert.match(String(message), /exit code 7.*fatal: out of luck/);
  assert.match(JSON.stringify(data), /"exit_code":7.*"stderr":"lost \[left out\]\\nfatal: out of luck"/);
  assert.equal((await turn("hello")).status, "failed");
});

test("an RPC error ends the turn as failed with its code, message and data", async (t) => {
  const { turn } = await start(t, {});
  const { status, all } = await turn("RPC-ERROR");
  assert.equal(status, "failed");
  assert.deepEqual(observed(all.at(-1)), {
    code: -32050,
    message: "Step 2 of 3 failed",
    data: { step: 2, in: "[left out]", sessionId: null, old: { session_id: "[left out]", sessionId: 12 } },
  });
});

test("a system error reported only by codex's thread status fails the turn, a successful retry does not", async (t) => {
  const { turn } = await start(t, {});
  const { status, all } = await turn("CODEX-ERROR systemError");
  assert.equal(status, "failed");
  const { code, message } = observed(all.at(-1));
  assert.deepEqual([code, message], ["agent_system_error", "high demand — Reconnecting... 5/5"]);
  assert.match(all.at(-1)?.thought ?? "", /currently experiencing/);
  assert.equal((await turn("CODEX-ERROR idle")).status, "completed");
});

test("each stop reason has its status and message", async (t) => {
  const { turn } = await start(t, {});
  for (const [reason, status, type] of [
    ["end_turn", "completed", "FINAL_ANSWER"],
    ["refusal", "failed", "ERROR"],
    ["max_tokens", "out_of_tokens", "ERROR"],
    ["max_turn_requests", "max_turns_reached", "ERROR"],
    ["cancelled", "cancelled", "USER_MESSAGE"],
    ["bored", "failed", "ERROR"],
  ]) {
    const end = await turn(`STOP ${reason}`);
    assert.deepEqual([end.status, end.types.at(-1)], [status, type], reason);
  }
});

test("a tool output of 50 MB is kept with its middle cut, and says so", async (t) => {
  const { turn, outputs } = await start(t, {});
  const { all, status } = await turn("BIG 50");
  assert.equal(status, "completed");
  const { output, truncated } = all[1]?.tool_output ?? {};
  assert.ok(typeof output === "string" && output.length < keptCharactersMax + 500);
  assert.match(output.slice(keptCharactersMax / 2 - 10, keptCharactersMax / 2 + 200), /characters were left out here/);
  const cut = truncated as { kept: number; dropped: number };
  assert.ok(cut.kept + cut.dropped >= 50 * 1024 * 1024 && cut.kept <= keptCharactersMax);
  assert.ok(outputs.every((progress) => progress.length < 200_000));
});

test("a message that is too large fails the turn clearly and ends the agent", async (t) => {
  const { turn, processes } = await start(t, {});
  const { all, status } = await turn("BIG 70");
  assert.equal(status, "failed");
  assert.equal(observed(all.at(-1)).code, "message_too_large");
  assert.ok(await processes[0]?.exited);
});

test("entries are written in order and the agent waits for a slow host", async (t) => {
  const written: unknown[] = [];
  let writing = 0;
  const onEntries = async (finished: NewEntry[]) => {
    writing += 1;
    assert.equal(writing, 1, "one write at a time");
    await new Promise((resolve) => setImmediate(resolve));
    written.push(...finished.map((entry) => entry.tool_input?.count ?? entry.message_type));
    writing -= 1;
  };
  const { turn } = await start(t, {}, { onEntries });
  await turn("MANY 300");
  assert.deepEqual(written, ["USER_MESSAGE", ...Array.from({ length: 300 }, (_, index) => index)]);
});

test("a host that cannot write stops the agent, and its error is passed back", async (t) => {
  const lost = new Error("the lease is lost");
  let calls = 0;
  const onEntries = async () => {
    calls += 1;
    if (calls > 1) throw lost;
  };
  const { session } = await start(t, {}, { onEntries });
  await assert.rejects(session.prompt({ number: 1, prompt: "MANY 50", images: [], model: null }, never), lost);
});

test("a turn cancelled before it begins sends the agent nothing", async (t) => {
  const { turn } = await start(t, {});
  const { status, types } = await turn("hello", AbortSignal.abort());
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "USER_MESSAGE"]]);
});

test("a cancel closes open tools as cancelled and the session continues", async (t) => {
  const cancel = new AbortController();
  const { turn, outputs } = await start(t, {});
  const running = turn("OPEN-TOOL", cancel.signal);
  await until(() => outputs.some((progress) => progress.includes("sleep 9")));
  cancel.abort();
  const { status, all, types } = await running;
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "ACTION", "USER_MESSAGE"]]);
  assert.deepEqual([all[1]?.tool_output?.status, all[1]?.thought], ["cancelled", "a long one"]);
  assert.equal(observed(all[2]).kind, "interruption");
  assert.equal((await turn("hello")).result, "said: hello");
});

test("an agent that ignores a cancel is killed after the grace", async (t) => {
  const cancel = new AbortController();
  const { turn, outputs, processes } = await start(t, {}, { limits: { stopGraceMs: 200 } });
  const running = turn("IGNORE-CANCEL", cancel.signal);
  await until(() => outputs.some((progress) => progress.includes("sleep 9")));
  cancel.abort();
  const { status, all } = await running;
  assert.equal(status, "cancelled");
  assert.equal(all[1]?.tool_output?.status, "cancelled");
  assert.ok(await processes[0]?.exited);
});

test("what a silently retrying agent wrote to its error output is in the progress, and in the ERROR of the limit", async (t) => {
  const { turn, outputs } = await start(t, {}, { limits: { inactivityMs: 600 } });
  const { all } = await turn("COMPLAIN");
  const { code, data } = observed(all.at(-1));
  assert.deepEqual([code, data], ["inactivity_timeout", { stderr: "retrying: 500 from the model" }]);
  const last = JSON.parse(outputs.at(-1) ?? "{}");
  assert.equal(last.log, "retrying: 500 from the model");
  assert.ok(last.heard_at <= last.updated_at);
});

test("a refused sign-in says whose it is and how to sign in, in the turn as at the start", async (t) => {
  const profile = { title: "Scripted", signInHint: "Sign in with `scripted login`." };
  const message =
    "Scripted is not signed in, or its key does not work: “Authentication required”. Sign in with `scripted login`. Then send the message again.";
  const { turn } = await start(t, {}, { profile });
  const { all } = await turn("REFUSE");
  assert.deepEqual([observed(all.at(-1)).code, observed(all.at(-1)).message], ["sign_in_needed", message]);
  const atStart = await startProblem(t, { start: "no-session" }, { profile });
  assert.deepEqual([atStart.observation.code, atStart.message], ["sign_in_needed", message]);
});

test("a message that cannot be read is told after a successful turn, once; other output is not", async (t) => {
  const { turn } = await start(t, {});
  const { status, types, all } = await turn("PREFIXED");
  assert.deepEqual([status, types], ["completed", ["USER_MESSAGE", "FINAL_ANSWER", "ERROR"]]);
  const { code, data } = observed(all.at(-1));
  assert.equal(code, "messages_not_read");
  assert.deepEqual(data, { lines: ['[info] {"jsonrpc":"2.0","method":"session/update","of":"[left out]"}'] });
  assert.deepEqual((await turn("hello")).types, ["USER_MESSAGE", "FINAL_ANSWER"]);
});

test("an id is left out of an error's text as a whole word only", async (t) => {
  const { turn } = await start(t, {});
  const { all } = await turn("SHORT-ID");
  assert.match(JSON.stringify(observed(all.at(-1))), /Node\.js v24: session of session-12 and 1 more/);
});
