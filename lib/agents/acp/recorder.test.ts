import assert from "node:assert/strict";
import { test } from "node:test";
import { parseUpdate } from "./message.ts";
import { allowed, diff, record, rejected, text } from "./recorder-under-test.fixture.ts";

test("text before a tool is the tool's thought, text after the last one is the answer", () => {
  const run = record();
  run.think("I must ");
  run.think("look.");
  run.say("Looking", "m1");
  run.say(" now.", "m1");
  run.call({ status: "completed", rawInput: { path: "a" } });
  run.think("Fine.");
  run.say("All ");
  run.say("good.");
  assert.equal(run.complete(), "All good.");
  assert.deepEqual(
    run.entries.map(({ message_type, thought, observation }) => [message_type, thought, observation]),
    [
      ["ACTION", "I must look.\n\nLooking now.", null],
      ["FINAL_ANSWER", "Fine.", "All good."],
    ],
  );
});

test("a tool call that arrives before its thought gets it, and so does the first parallel call to end", () => {
  const run = record();
  run.call({ toolCallId: "a", name: "A" });
  run.think("late thought");
  run.call({ toolCallId: "b", name: "B", status: "completed" });
  run.change({ toolCallId: "a", status: "completed" });
  assert.deepEqual(
    run.entries.map(({ tool_name, thought }) => [tool_name, thought]),
    [
      ["B", "late thought"],
      ["A", null],
    ],
  );
});

test("of parallel calls the first to end gets the thought before them all", () => {
  const run = record();
  run.think("Both at once.");
  run.call({ toolCallId: "slow", kind: "execute", rawInput: { command: "slow" } });
  run.call({ toolCallId: "quick", kind: "execute", rawInput: { command: "quick" } });
  run.change({ toolCallId: "quick", status: "completed", rawOutput: "" });
  run.change({ toolCallId: "slow", status: "completed", rawOutput: "" });
  assert.deepEqual(
    run.entries.map(({ tool_input, thought }) => [tool_input?.command, thought]),
    [
      ["quick", "Both at once."],
      ["slow", null],
    ],
  );
});

test("a turn without a closing message says so and has no result", () => {
  const run = record();
  run.think("done");
  assert.equal(run.complete(), null);
  assert.equal(run.entries[0]?.observation, "(the agent ended its turn without a closing message)");
  assert.equal(run.entries[0]?.thought, "done");
});

test("the tool's name is the agent's own, else from the id, else a one-word title, else the kind", () => {
  const name = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ kind: "execute", ...fields, status: "completed" });
    return run.entries[0]?.tool_name;
  };
  assert.equal(name({ name: "Bash", _meta: { toolName: "x" } }), "Bash");
  assert.equal(name({ _meta: { claudeCode: { toolName: "Edit" } } }), "Edit");
  assert.equal(name({ _meta: { toolName: "run_shell_command" } }), "run_shell_command");
  assert.equal(name({ toolCallId: "read_file__fc_239", title: "greet.mjs" }), "read_file");
  assert.equal(name({ title: "bash" }), "bash");
  assert.equal(name({ title: "Editing files", kind: "edit" }), "edit");
  assert.equal(name({ title: "ls", rawInput: { command: "ls" } }), "execute");
  assert.equal(name({ title: "some words", kind: undefined }), "tool");
});

test("a name from a title is kept even if a later title is no name", () => {
  const run = record();
  run.call({ title: "bash", kind: "execute", rawInput: {} });
  run.change({ title: "ls -la", rawInput: { command: "ls -la" }, status: "completed", rawOutput: { output: "x" } });
  assert.deepEqual([run.entries[0]?.tool_name, run.entries[0]?.tool_input], ["bash", { command: "ls -la" }]);
});

test("the input is the last one that is not empty, a permission request's included, else title and paths", () => {
  const run = record();
  run.call({ kind: "execute", rawInput: { command: "a" } });
  run.asked({ toolCallId: "t", rawInput: { command: "b" } }, allowed);
  run.change({ rawInput: {}, status: "completed" });
  run.call({ toolCallId: "u", kind: "execute", title: "node --test", status: "completed" });
  run.call({ toolCallId: "v", kind: "read", title: "x", locations: [{ path: "/repo/lib/x.ts" }], status: "completed" });
  run.call({
    toolCallId: "w",
    kind: "read",
    title: "y",
    locations: [{ path: "/etc/y" }, { path: "/repo" }],
    status: "completed",
  });
  assert.deepEqual(
    run.entries.map((entry) => entry.tool_input),
    [
      { command: "b" },
      { command: "node --test" },
      { title: "x", path: "lib/x.ts" },
      { title: "y", path: "/etc/y", paths: ["/etc/y", "."] },
    ],
  );
});

test("a call first seen in a request for permission is recorded, and its wait is not part of its duration", () => {
  const run = record();
  run.asked(
    { toolCallId: "run_shell_command__1", title: "make", kind: "execute", content: [text("[cwd /repo] why")] },
    allowed,
  );
  run.clock.now += 70;
  run.change({ toolCallId: "run_shell_command__1", status: "completed", content: [] });
  assert.deepEqual(run.entries[0], {
    created_at: "2026-01-01T00:00:00.070Z",
    message_type: "ACTION",
    tool_call_id: "run_shell_command__1",
    thought: null,
    tool_name: "run_shell_command",
    tool_input: { command: "make" },
    tool_output: {
      status: "completed",
      output_reported: false,
      permission: allowed,
      request: { kind: "execute", text: "[cwd /repo] why" },
      duration_ms: 70,
    },
    observation: null,
  });
});

test("a refused call without further updates closes when the agent moves on", () => {
  const run = record();
  run.think("first");
  run.asked({ toolCallId: "replace__1", title: "x", kind: "edit", content: [diff("/repo/x", "a", "b")] }, rejected);
  assert.equal(run.entries.length, 0);
  run.think("second");
  assert.equal(run.entries[0]?.tool_output?.status, "rejected");
  assert.equal(run.entries[0]?.thought, "first");
  assert.deepEqual(run.entries[0]?.tool_output?.diffs, [{ path: "x", oldText: "a", newText: "b" }]);
  run.change({ toolCallId: "replace__1", status: "completed" });
  run.complete();
  assert.deepEqual(run.entries.map((entry) => [entry.message_type, entry.thought]).at(-1), ["FINAL_ANSWER", "second"]);
  assert.match(String(run.entries.at(-1)?.observation), /after a permission was refused/);
});

test("a refused call that fails is recorded once, as rejected", () => {
  const run = record();
  run.call({ name: "Bash", kind: "execute" });
  run.asked({ toolCallId: "t" }, rejected);
  run.change({ status: "failed", rawOutput: "User refused permission to run tool" });
  run.say("ok");
  assert.deepEqual(
    run.entries.map((entry) => entry.tool_output?.status),
    ["rejected"],
  );
});

test("an agent's echo, mode change and model warning do not count as its text", () => {
  const run = record();
  assert.equal(parseUpdate({ update: { sessionUpdate: "user_message_chunk", content: text("x") } }), null);
  run.say("[MODE_UPDATE] autoEdit");
  run.say("Warning: Model metadata for `gpt-5-codex` not found. Defaulting to fallback metadata.\n\n");
  run.say("");
  assert.equal(run.complete(), null);
});

test("a notice of severity error is an ERROR, others are dropped", () => {
  const run = record();
  run.update({ sessionUpdate: "notice", severity: "warning", title: "careful" });
  run.update({ sessionUpdate: "notice", severity: "error", title: "Quota", description: "used up" });
  assert.deepEqual(
    run.entries.map((entry) => [entry.message_type, entry.observation]),
    [["ERROR", { code: "agent_notice", message: "Quota\nused up", data: null }]],
  );
});

test("a cancel closes open calls as cancelled, keeps the text so far and ends with the interruption", () => {
  const run = record();
  run.call({ name: "shell", kind: "execute", status: "in_progress" });
  run.say("while it runs");
  const entries = run.recorder.cancel("The run was cancelled.");
  assert.deepEqual(
    entries.map(({ message_type, tool_output, thought, observation }) => [
      message_type,
      tool_output?.status,
      thought,
      observation,
    ]),
    [
      ["ACTION", "cancelled", null, null],
      ["USER_MESSAGE", undefined, "while it runs", { kind: "interruption", message: "The run was cancelled." }],
    ],
  );
});

test("a call that ends while the turn is being stopped was cancelled, unless it reports that it ended by itself", () => {
  const status = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ kind: "execute", status: "in_progress" });
    run.recorder.stopping();
    run.change(fields);
    return run.entries[0]?.tool_output?.status;
  };
  assert.equal(status({ status: "failed", rawOutput: { exit_code: null, signal: "SIGTERM" } }), "cancelled");
  assert.equal(
    status({ status: "completed", rawOutput: { output: "aborted", metadata: { exit: null } } }),
    "cancelled",
  );
  assert.equal(status({ status: "completed", rawOutput: { output: "ok", metadata: { exit: 0 } } }), "completed");
});

test("a failed turn keeps its text in the ERROR's thought", () => {
  const run = record();
  run.say("I tried");
  const [entry] = run.recorder.fail({ code: 1, message: "no", data: { why: "x" } }, "interrupted");
  assert.deepEqual(
    [entry?.message_type, entry?.thought, entry?.observation],
    ["ERROR", "I tried", { code: 1, message: "no", data: { why: "x" } }],
  );
});

test("an id used in an earlier turn can be used again, and late updates of the earlier call are dropped", () => {
  const run = record();
  run.call({ status: "completed" });
  run.complete();
  run.recorder.begin("next", { turn: 2, session: "continued" });
  run.change({ status: "completed" });
  assert.equal(run.entries.length, 2);
  run.call({ name: "again", status: "completed" });
  assert.equal(run.entries.at(-1)?.tool_name, "again");
});

test("progress shows what is in flight and stays small", () => {
  const run = record();
  run.think("hm");
  run.call({
    name: "Write",
    kind: "edit",
    title: "Write x",
    status: "in_progress",
    rawInput: { content: "y".repeat(1_000_000) },
  });
  run.say("z".repeat(100_000));
  const progress = run.recorder.progress();
  assert.equal(progress.text.length, 16_384);
  assert.equal(progress.tools[0]?.tool_name, "Write");
  assert.equal(progress.tools[0]?.started_at, "2026-01-01T00:00:00.000Z");
  assert.ok(JSON.stringify(progress).length < 60_000);
  run.change({ status: "completed" });
  assert.deepEqual(run.recorder.progress().tools, []);
});

test("text before a tool stays in flight while the tool runs", () => {
  const run = record();
  run.think("I must look.");
  run.say("Looking.");
  run.call({ status: "in_progress" });
  run.think("It takes a while.");
  assert.equal(run.recorder.progress().thought, "I must look.\n\nLooking.\n\nIt takes a while.");
  run.change({ status: "completed" });
  assert.equal(run.recorder.progress().thought, "");
});

test("malformed fields are dropped alone, and hostile input is bounded", () => {
  const run = record();
  let nested: unknown = "deep";
  for (let level = 0; level < 5000; level += 1) nested = [nested];
  run.call({ title: 7, kind: null, status: "odd", content: "no", locations: { a: 1 }, rawInput: { nested }, _meta: 3 });
  run.change({ status: "completed", content: [null, 3, { type: "diff" }, text("x")] });
  assert.equal(run.entries[0]?.tool_output?.output, "x");
  assert.equal(run.entries[0]?.tool_output?.content_unread, 3);
  assert.match(JSON.stringify(run.entries[0]?.tool_input), /nested too deeply/);
  const wide = record();
  wide.call({ rawInput: { list: Array.from({ length: 200_000 }, () => 1) }, status: "completed" });
  assert.ok(JSON.stringify(wide.entries[0]).length < 500_000);
});
