import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { convertTrace, tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { readLine } from "./read-line.ts";
import type { SessionStep } from "./session-step.ts";

const now = "2026-03-01T12:00:00.000Z";
const at = "2026-03-01T11:00:00.000Z";
const user = (content: unknown, more: object = {}) => ({ type: "user", timestamp: at, message: { content }, ...more });
const assistant = (content: unknown, more: object = {}, message: object = {}) => ({
  type: "assistant",
  timestamp: at,
  message: { id: "msg_1", model: "claude-opus-4-6", content, ...message },
  ...more,
});
const text = (words: string) => ({ type: "text", text: words });
const read = (line: object) => readLine(fieldsOf(line), now);

/** A step in short form: its kind and its text. */
function short(step: SessionStep): unknown[] {
  switch (step.kind) {
    case "entry":
      return [step.entry.message_type, step.entry.thought ?? step.entry.observation];
    case "prompt":
      return ["prompt", step.text, step.opens, step.entry.observation];
    case "said":
      return ["said", step.text, step.isLast];
    case "call":
      return ["call", step.id, step.name, step.input];
    case "result":
      return ["result", step.id, step.output];
    case "rest":
      return ["rest"];
  }
}
const steps = (line: object) => read(line).steps.map(short);

test("a person's message is a prompt, which names its turn", () => {
  assert.deepEqual(steps(user("Fix the build")), [["prompt", "Fix the build", true, "Fix the build"]]);
  assert.deepEqual(steps(user([text("Fix it")])), [["prompt", "Fix it", true, "Fix it"]]);
  const opened = text("<ide_opened_file>The user opened a.ts</ide_opened_file>");
  assert.deepEqual(steps(user([opened, text("Fix it")])), [
    ["prompt", "Fix it", true, { content: [opened, text("Fix it")] }],
  ]);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };
  assert.deepEqual(steps(user([image])), [["prompt", "An image", true, { content: [image] }]]);
  assert.deepEqual(steps(user("nul \u0000 and \ud83d"))[0]?.[1], "nul  and \ufffd");
});

test("what the terminal does in a person's name begins no turn", () => {
  const stopped = "[Request interrupted by user for tool use]";
  assert.deepEqual(steps(user([text(stopped)])), [["prompt", null, false, stopped]]);
  const note = "<task-notification>\nAgent finished\n</task-notification>";
  assert.deepEqual(steps(user(note)), [["prompt", null, false, note]]);
  const command = (name: string) => `<command-name>/${name}</command-name>\n<command-args>all of it</command-args>`;
  assert.deepEqual(steps(user(command("clear")))[0]?.slice(1, 3), [null, false]);
  assert.deepEqual(steps(user(command("review")))[0]?.slice(1, 3), ["/review all of it", false]);
  const queued = { type: "attachment", timestamp: at, attachment: { type: "queued_command", prompt: "And the docs" } };
  assert.deepEqual(steps(queued), [["prompt", "And the docs", false, "And the docs"]]);
});

test("tags that are never closed are read in time proportional to their number", () => {
  for (const part of ["<command-args>", "<command-name>", "<command-name>/a ", "</command-args>", " "]) {
    const command = `<command-name>/a</command-name>${part.repeat(3_000_000 / part.length)}`;
    assert.equal(steps(user(`<bash-input>${command}</bash-input>`))[0]?.[1], "/a", part);
  }
});

test("text added by Claude Code is left out with a reason, and so is every line without content", () => {
  for (const [line, reason] of [
    [user("Base directory for this skill: /x", { isMeta: true }), /put in by Claude Code/],
    [{ type: "attachment", attachment: { type: "skill_listing" } }, /beside the conversation/],
    [{ type: "progress", data: {} }, /continues/],
    [{ type: "custom-title", customTitle: "A title" }, /names the session/],
    [{ type: "system", subtype: "turn_duration" }, /note of the terminal/],
    [{ type: "something-new", content: "x" }, /type is not known/],
    [{}, /type is not known/],
    [user(""), /empty/],
    [user([]), /empty/],
    [user(null), /empty/],
    [assistant([]), /empty/],
    [assistant([{ type: "thinking", thinking: "", signature: "x" }]), /empty/],
    [{ type: "user" }, /empty/],
    [{ type: "assistant", message: 5 }, /empty/],
    [{ type: "pr-link" }, /no pull request/],
  ] as const) {
    const { leftOut } = read(line);
    assert.match(leftOut ?? "", reason, JSON.stringify(line));
    assert.ok(read(line).steps.every(({ kind }) => kind === "rest"));
  }
});

test("words are the answer if the line says so, and it may leave that open", () => {
  assert.deepEqual(steps(assistant([text("Done")])), [["said", "Done", null]]);
  assert.deepEqual(steps(assistant([text("Done")], {}, { stop_reason: "end_turn" })), [["said", "Done", true]]);
  const both = [text("First"), { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }];
  assert.deepEqual(steps(assistant(both, {}, { stop_reason: "tool_use" })), [
    ["said", "First", false],
    ["call", "t1", "Bash", { command: "ls" }],
  ]);
  const twice = [text("One"), text("Two")];
  assert.deepEqual(steps(assistant(twice, {}, { stop_reason: "end_turn" })), [
    ["said", "One", false],
    ["said", "Two", true],
  ]);
  assert.deepEqual(steps(assistant([text("Limit reached")], { isApiErrorMessage: true })), [
    ["ERROR", { message: "Limit reached" }],
  ]);
});

test("a subagent's words are never the answer, and its task is no prompt", () => {
  assert.deepEqual(steps(assistant([text("I look")], { isSidechain: true })), [["PLAN_EVALUATION", "I look"]]);
  assert.deepEqual(steps(user("Look around", { isSidechain: true })), [
    ["PLAN_EVALUATION", "Task of a subagent:\n\nLook around"],
  ]);
  assert.equal(read(assistant([text("x")], { isSidechain: true })).model, null);
});

test("results keep their content in either form, with images and with Claude Code's own record", () => {
  const result = { type: "tool_result", tool_use_id: "t1", content: "ok", is_error: true };
  assert.deepEqual(steps(user([result], { toolUseResult: { stdout: "ok" }, isMeta: true })), [
    ["result", "t1", { text: "ok", is_error: true, toolUseResult: { stdout: "ok" } }],
  ]);
  const content = [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }];
  assert.deepEqual(steps(user([{ ...result, content, is_error: undefined }])), [["result", "t1", { content }]]);
  assert.deepEqual(steps(user([{ type: "tool_result", content: "of no call" }])), []);
});

test("errors, compactions, fallbacks and pull requests have entries", () => {
  const system = (subtype: string, more: object) => ({ type: "system", subtype, timestamp: at, ...more });
  assert.deepEqual(steps(system("api_error", { error: { message: "529 overloaded" } })), [
    ["ERROR", { message: "529 overloaded", data: { message: "529 overloaded" } }],
  ]);
  const boundary = system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 132627 } });
  assert.deepEqual(steps(boundary), [["PLAN_EVALUATION", "The context was compacted. It had 132627 tokens."]]);
  assert.deepEqual(steps(user("This session is being continued …", { isCompactSummary: true })), [
    ["PLAN_EVALUATION", "This session is being continued …"],
  ]);
  assert.deepEqual(steps({ type: "pr-link", prNumber: 7, prUrl: "https://example.com/pull/7", timestamp: at }), [
    ["AGENT_RUN_LINK", { url: "https://example.com/pull/7", number: 7 }],
  ]);
});

test("impossible times are replaced by the time of arrival; impossible figures do not count", () => {
  for (const timestamp of ["0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "soon", 5, undefined]) {
    const [step] = read(user("x", { timestamp })).steps;
    assert.equal(step?.kind === "prompt" && step.entry.created_at, now, String(timestamp));
  }
  const usage = { input_tokens: 4, cache_read_input_tokens: 10, cache_creation_input_tokens: 100, output_tokens: 3 };
  assert.deepEqual(read(assistant([], {}, { usage })).usage, { messageId: "msg_1", input: 114, output: 3 });
  const odd = { input_tokens: -4, output_tokens: 1e300, cache_read_input_tokens: "many" };
  assert.equal(read(assistant([], {}, { usage: odd })).usage, null);
});

test("recorded sessions have as many calls and results as were counted in them, and the converter's outputs", (t) => {
  const folder = tracesFolder();
  if (folder === null) return t.skip("no recorded traces beside this checkout (../shared/traces)");
  const oracle = fieldsOf(JSON.parse(readFileSync(join(folder, "ORACLE.json"), "utf8")));
  const counted = Object.entries(oracle).filter(([file]) => file.startsWith("dev/claude-code/"));
  assert.ok(counted.length > 5);
  for (const [file, value] of counted) {
    const expected = fieldsOf(value);
    const bytes: Buffer = readFileSync(join(folder, file.replace("dev/", "")));
    const told: SessionStep[] = bytes
      .toString()
      .split("\n")
      .flatMap((line) => {
        try {
          return readLine(fieldsOf(JSON.parse(line)), now).steps;
        } catch {
          return [];
        }
      });
    const calls = told.flatMap((step) => (step.kind === "call" ? [step] : []));
    const results = told.flatMap((step) => (step.kind === "result" ? [step] : []));
    assert.equal(calls.length, expected.tool_calls, file);
    assert.equal(results.length, expected.tool_results, file);
    assert.equal(results.filter(({ output }) => output.is_error === true).length, expected.error_results, file);
    const outputs = new Map(results.map(({ id, output }) => [id, output]));
    const [run] = convertTrace("claude-code", bytes) ?? [];
    const actions = run?.entries.filter(({ message_type }) => message_type === "ACTION") ?? [];
    assert.equal(actions.length, calls.length, file);
    for (const { tool_call_id, tool_output } of actions)
      assert.deepEqual(outputs.get(String(tool_call_id)), tool_output);
  }
});
