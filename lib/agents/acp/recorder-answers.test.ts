import assert from "node:assert/strict";
import { test } from "node:test";
import { keptImages, parseUpdate } from "./message.ts";
import { record, rejected, text } from "./recorder-under-test.fixture.ts";

type Run = ReturnType<typeof record>;

const answerOf = (run: Run) => run.entries.find(({ message_type }) => message_type === "FINAL_ANSWER");
const thoughts = (run: Run) => run.entries.map(({ tool_call_id, thought }) => [tool_call_id ?? null, thought]);

test("bookkeeping after the last words leaves them the answer, whether it is reported as done or not", () => {
  for (const status of ["in_progress", "completed", "failed"]) {
    const run = record();
    run.call({ toolCallId: "a", rawInput: { command: "ls" }, kind: "execute", status: "completed" });
    run.say("THE ANSWER is 42.");
    run.call({ toolCallId: "subagent-completed-1", title: "Complete subagent x", kind: "other", status });
    assert.equal(run.complete(), "THE ANSWER is 42.");
    assert.equal(answerOf(run)?.observation, "THE ANSWER is 42.");
    assert.deepEqual(thoughts(run), [
      ["a", null],
      ["subagent-completed-1", null],
      [null, null],
    ]);
  }
});

test("a call of a sub-agent neither takes the main agent's words nor ends its answer", () => {
  const run = record();
  run.say("Let me ask somebody.");
  run.call({ toolCallId: "main", kind: "other", status: "in_progress", rawInput: { prompt: "look" } });
  run.say("The answer is 7.");
  const _meta = { claudeCode: { parentToolUseId: "main", toolName: "Bash" } };
  run.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Running it." }, _meta });
  run.call({ toolCallId: "sub", _meta, kind: "execute", rawInput: { command: "ls" } });
  run.change({ toolCallId: "sub", _meta, status: "completed" });
  assert.deepEqual(thoughts(run), [["sub", "Running it."]]);
  assert.equal(run.complete(), "The answer is 7.");
  assert.deepEqual(thoughts(run).slice(1), [
    ["main", "Let me ask somebody."],
    [null, null],
  ]);
});

test("words before a call that never ends are the answer if nothing is said after it, and are told once", () => {
  const run = record();
  run.think("Hm.");
  run.say("Done: 3 files.");
  run.call({ toolCallId: "a", kind: "other", status: "in_progress" });
  assert.equal(run.complete(), "Done: 3 files.");
  assert.deepEqual(thoughts(run), [
    ["a", null],
    [null, "Hm."],
  ]);
});

test("words before the last call are the answer if nothing is said after it, and the entry says so", () => {
  const run = record();
  run.say("First.");
  run.call({ toolCallId: "a", kind: "other", status: "completed" });
  run.say("All is well.");
  run.call({ toolCallId: "b", kind: "other" });
  run.change({ toolCallId: "b", status: "completed" });
  run.think("Nothing to add.");
  assert.equal(run.complete(), "All is well.");
  assert.deepEqual(thoughts(run), [
    ["a", "First."],
    ["b", "All is well."],
    [null, "Nothing to add.\n\nThe agent said this before its last step, and nothing after it."],
  ]);
});

test("words before a plan are the answer only if nothing is said after it", () => {
  const plan = { toolCallId: "p", kind: "think", _meta: { claudeCode: { toolName: "TodoWrite" } } };
  const todos = [{ content: "look", status: "completed", activeForm: "looking" }];
  for (const after of ["", "Really done."]) {
    const run = record();
    run.say("Done.");
    run.call({ ...plan, rawInput: { todos } });
    run.change({ ...plan, status: "completed" });
    if (after !== "") run.say(after);
    assert.equal(run.complete(), after || "Done.");
    assert.equal(answerOf(run)?.thought, after === "" ? null : "Done.");
  }
});

test("a refused request and a further message leave no earlier words as the answer", () => {
  const refused = record();
  refused.say("I will delete it.");
  refused.asked({ toolCallId: "a", title: "rm", kind: "delete" }, rejected);
  refused.change({ toolCallId: "a", status: "failed" });
  assert.equal(refused.complete(), null);
  const asked = record();
  asked.say("The first part is done.");
  asked.call({ toolCallId: "a", kind: "other", status: "completed" });
  asked.recorder.message("And the second?", { message: 2 });
  assert.equal(asked.complete(), null);
});

test("words of another session are no part of the answer, and its calls are not mixed with the turn's own", () => {
  const run = record();
  const foreign = (fields: Record<string, unknown>) => {
    const update = parseUpdate({ update: fields });
    assert.ok(update !== null);
    run.entries.push(...run.recorder.update(update, "other"));
  };
  run.call({ toolCallId: "1", kind: "execute", rawInput: { command: "own" } });
  foreign({ sessionUpdate: "tool_call", toolCallId: "1", kind: "execute", rawInput: { command: "foreign" } });
  foreign({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" });
  run.change({ toolCallId: "1", status: "completed" });
  run.say("Mine.");
  foreign({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Theirs." } });
  foreign({ sessionUpdate: "plan", entries: [{ content: "theirs", status: "pending" }] });
  assert.equal(run.complete(), "Mine.");
  assert.deepEqual(
    run.entries.map(({ tool_call_id, tool_input, thought }) => [tool_call_id ?? null, tool_input?.command, thought]),
    [
      ["1@1", "foreign", null],
      ["1", "own", null],
      [null, undefined, "Sub-agents said:\n\nTheirs."],
    ],
  );
});

test("calls without an id have entries of their own, one after the other and at once", () => {
  const run = record();
  for (const title of ["do one", "do two"]) {
    run.call({ toolCallId: "", title, kind: "other" });
    run.change({ toolCallId: "", status: "completed", content: [text(`output of ${title}`)] });
    run.change({ toolCallId: "", status: "completed", content: [text("late")] });
  }
  run.call({ toolCallId: "", title: "do three", kind: "other", rawInput: { n: 3 } });
  run.update({ sessionUpdate: "tool_call", title: "do four", kind: "other", rawInput: { n: 4 } });
  run.complete();
  const calls = run.entries.slice(0, -1);
  assert.deepEqual(
    calls.map(({ tool_input, tool_output }) => [tool_input?.title, tool_output?.output]),
    [
      ["do one", "output of do one"],
      ["do two", "output of do two"],
      ["do three", undefined],
      ["do four", undefined],
    ],
  );
  assert.equal(new Set(calls.map(({ tool_call_id }) => tool_call_id)).size, 4);
});

test("long ids that begin alike are different calls, and the stored id is bounded", () => {
  const run = record();
  const long = (end: string) => `${"x".repeat(5000)}${end}`;
  for (const end of ["a", "b"]) run.call({ toolCallId: long(end), kind: "execute", rawInput: { command: end } });
  for (const end of ["a", "b"]) run.change({ toolCallId: long(end), status: "completed" });
  const ids = run.entries.map(({ tool_call_id }) => tool_call_id ?? "");
  assert.deepEqual(
    run.entries.map(({ tool_input }) => tool_input?.command),
    ["a", "b"],
  );
  assert.equal(new Set(ids).size, 2);
  assert.ok(ids.every((id) => id.length <= 200));
});

test("a call with an input keeps its title if it has no name, and the places that its input does not mention", () => {
  const run = record();
  const input = (fields: Record<string, unknown>) => {
    run.call({ toolCallId: JSON.stringify(fields), status: "completed", ...fields });
    return run.entries.at(-1)?.tool_input;
  };
  const locations = [{ path: "/repo/a.ts", line: 3 }, { path: "/etc/b" }, { path: 4 }];
  const kept = [{ path: "a.ts", line: 3 }, { path: "/etc/b" }];
  assert.deepEqual(input({ title: "Search the web for X", kind: "other", rawInput: { q: 1 }, locations }), {
    title: "Search the web for X",
    q: 1,
    locations: kept,
  });
  assert.deepEqual(input({ title: "Look", name: "look", rawInput: { q: 1 }, locations }), { q: 1, locations: kept });
  const mentioned = { command: "cat a.ts </etc/b" };
  assert.deepEqual(input({ title: "cat", name: "sh", rawInput: mentioned, locations }), mentioned);
  assert.deepEqual(input({ title: "cat x", kind: "execute", rawInput: { command: "cat x" } }), { command: "cat x" });
});

const png = (data: string) => ({ type: "image", mimeType: "image/png", data });

test("an image that the agent shows stays with the words around it: in the answer, at the next call, or before the end", () => {
  const run = record();
  const show = (content: object) => run.update({ sessionUpdate: "agent_message_chunk", content });
  run.say("Look: ");
  show(png("AAAA"));
  run.call({ status: "completed", content: [text("a remark")], rawOutput: "data" });
  run.say("The chart:");
  show(png("BBBB"));
  run.say("It grows.");
  const result = run.complete();
  const [action, answer] = run.entries;
  const content = [{ type: "text", text: "a remark" }, png("AAAA")];
  assert.deepEqual([action?.thought, action?.observation], ["Look:\n\n[image image/png, 3 B]", { content }]);
  const words = "The chart:\n\n[image image/png, 3 B]\n\nIt grows.";
  assert.equal(result, words);
  assert.deepEqual(answer?.observation, { content: [{ type: "text", text: words }, png("BBBB")] });

  for (const end of ["cancel", "fail", "message"] as const) {
    const stopped = record();
    stopped.update({ sessionUpdate: "agent_message_chunk", content: png("CCCC") });
    const entries = {
      cancel: () => stopped.recorder.cancel("Stopped."),
      fail: () => stopped.recorder.fail({ code: "agent_failed", message: "Gone." }, "interrupted"),
      message: () => stopped.recorder.message("And?", { message: 1, during_turn: 1 }),
    }[end]();
    assert.deepEqual(
      entries.map(({ message_type, thought, observation }) => [message_type, thought, Object(observation).content]),
      [
        ["PLAN_EVALUATION", "[image image/png, 3 B]", [png("CCCC")]],
        [end === "fail" ? "ERROR" : "USER_MESSAGE", null, undefined],
      ],
    );
  }
});

test("of a turn's images eight are kept, of the types that the page shows; the others are named with their size", () => {
  const run = record();
  const show = (content: object) => run.update({ sessionUpdate: "agent_message_chunk", content });
  show({ type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" });
  show({ ...png("AAAA"), data: "A".repeat(keptImages.characters + 4) });
  for (let count = 0; count < 9; count += 1) show(png("AAAA"));
  const result = run.complete() ?? "";
  assert.match(result, /^\[image image\/svg\+xml, 5 B, not kept\]/);
  assert.equal(result.match(/not kept/g)?.length, 3);
  const { content } = Object(run.entries.at(-1)?.observation);
  assert.deepEqual(content.slice(1), Array(8).fill(png("AAAA")));
  run.recorder.begin("more", { turn: 2, session: "resumed" });
  show(png("BBBB"));
  run.complete();
  assert.deepEqual(Object(run.entries.at(-1)?.observation).content.at(-1), png("BBBB"));
});
