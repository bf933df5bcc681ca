import assert from "node:assert/strict";
import { test } from "node:test";
import { entryWords } from "./entry-words.ts";
import { jsonText } from "./json-text.ts";

const entry = (fields: object) =>
  JSON.stringify({
    agent_run_id: 1,
    seq: 1,
    created_at: "2026-01-31T23:59:59.000Z",
    message_type: "ACTION",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: null,
    ...fields,
  });

test("JSON of any depth and shape is written whole, and the indentation does not outgrow it", () => {
  const deep = `${'{"a":['.repeat(10_000)}"bottom"${"]}".repeat(10_000)}`;
  const body = entry({ tool_name: "deep" }).replace('"tool_input":null', `"tool_input":${deep}`);
  const [block] = entryWords(body).blocks;
  assert.equal(block?.text.replace(/\s/g, ""), deep);
  assert.ok((block?.text.length ?? 0) < 3 * deep.length);
  for (const value of [null, "x\n", 0, [], {}, [[], {}], { a: [1, { b: null }], __proto__x: true }, [[[["x"]]], 1]]) {
    assert.equal(jsonText(value), JSON.stringify(value, null, 2));
  }
});

test("a command, its output and its end are kept apart, and nothing of the input is lost", () => {
  const words = entryWords(
    entry({
      tool_name: "Bash",
      tool_input: { command: ["sh", "-c", "it's"], description: "Says it", timeout: 5 },
      tool_output: { status: "failed", exit_code: 3, duration_ms: 1234, output: "no\n", more: true },
    }),
  );
  assert.deepEqual([words.title, words.about, words.isError], ["Bash", "Says it", true]);
  assert.deepEqual(words.facts, ["failed", "exit 3", "1.2 s"]);
  assert.deepEqual(
    words.blocks.map(({ label, language, text }) => [label, language, text]),
    [
      ["Command", "sh", "it's"],
      ["Input", "json", '{\n  "timeout": 5\n}'],
      ["Output", "text", "no\n"],
      ["Result", "json", '{\n  "more": true\n}'],
    ],
  );
});

test("an edit is a diff, from what the tool reported or else from its input", () => {
  const edit = { file_path: "a.ts", old_string: "one\ntwo\n", new_string: "one\nthree\n" };
  const reported = { diffs: [{ path: "a.ts", oldText: "one\ntwo\n", newText: "one\nthree\n" }] };
  const diff = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
  for (const tool_output of [{ status: "completed" }, reported]) {
    const { blocks } = entryWords(entry({ tool_name: "Edit", tool_input: edit, tool_output }));
    assert.deepEqual(
      blocks.map(({ label, language, text }) => [label, language, text]),
      [["a.ts", "diff", diff]],
    );
  }
  const part = entryWords(entry({ tool_name: "Edit", tool_input: { path: "d", old_str: "1", new_str: "2" } }));
  assert.equal(part.blocks[0]?.text, "--- d\n+++ d\n@@ -1,1 +1,1 @@\n-1\n+2\n");
  const made = entryWords(entry({ tool_name: "Write", tool_input: { file_path: "b", content: "x\ny" } }));
  assert.equal(made.blocks[0]?.text, "--- /dev/null\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n");
  const many = Array.from({ length: 20_000 }, (_, line) => `${line}`).join("\n");
  const other = many.replaceAll("1", "one").replaceAll("2", "two");
  const whole = entryWords(entry({ tool_name: "Edit", tool_input: { path: "c", old_str: many, new_str: other } }));
  assert.equal(whole.blocks[0]?.text.split("\n").length, 40_004);
});

test("edits of every agent are diffs, and no part of them is JSON", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@ function f\n one\n-two\n+three\n*** End Patch";
  const diffOf = (tool_name: string, tool_input: unknown) =>
    entryWords(entry({ tool_name, tool_input, tool_output: { output: "" } })).blocks.map(({ language, text }) => [
      language,
      text,
    ]);
  const patched = [["diff", "--- src/a.ts\n+++ src/a.ts\n@@ function f\n one\n-two\n+three\n"]];
  assert.deepEqual(diffOf("apply_patch", { input: patch }), patched);
  assert.deepEqual(diffOf("apply_patch", { patchText: patch }), patched);
  assert.deepEqual(diffOf("shell", { command: ["apply_patch", patch] }), patched);
  const replaced = [["diff", "--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-1\n+2\n"]];
  assert.deepEqual(diffOf("edit", { filePath: "a.ts", oldString: "1", newString: "2" }), replaced);
  const made = [["diff", "--- /dev/null\n+++ a.ts\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n"]];
  assert.deepEqual(diffOf("create_file", { path: "a.ts", file_text: "x" }), made);
  const cell = [["diff", "--- /dev/null\n+++ a.ts\n@@ -0,0 +1,1 @@\n+x\n"]];
  assert.deepEqual(diffOf("NotebookEdit", { notebook_path: "a.ts", new_source: "x" }), cell);
  assert.deepEqual(diffOf("edit_file", { target_file: "a.ts", code_edit: "x" }), cell);
});

test("a failure is shown by whatever reports it, a refusal is none, and images are images", () => {
  const words = (tool_output: unknown, tool_input: unknown = { command: "make" }) =>
    entryWords(entry({ tool_name: "Bash", tool_input, tool_output }));
  const failed = words({ text: "Exit code 2\nno rule", is_error: true });
  assert.deepEqual([failed.isError, failed.facts, failed.blocks.at(-1)?.text], [true, ["failed", "exit 2"], "no rule"]);
  assert.deepEqual([words({ status: "rejected" }).isError, words({ status: "rejected" }).facts], [false, ["rejected"]]);
  assert.deepEqual(words({}).facts, ["unfinished"]);
  const shot = words({
    content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }],
  });
  assert.deepEqual(
    shot.blocks.map(({ kind, image }) => [kind, image?.url]),
    [
      ["text", undefined],
      ["image", "data:image/png;base64,iVBORw0KGgo="],
    ],
  );
});

test("plans, questions and agents are rendered as such", () => {
  const blocks = (tool_name: string, tool_input: unknown, tool_output: unknown) =>
    entryWords(entry({ tool_name, tool_input, tool_output })).blocks.map(({ kind, text }) => [kind, text]);
  const plan = [
    { step: "Look", status: "completed" },
    { step: "Mend", status: "in_progress" },
  ];
  assert.deepEqual(blocks("update_plan", { plan }, { output: "Plan updated" }), [
    ["prose", "- [x] Look\n- [ ] Mend (in progress)"],
    ["text", "Plan updated"],
  ]);
  const questions = [{ question: "Which?", header: "Kind", options: [{ label: "A", description: "the first" }] }];
  assert.deepEqual(blocks("AskUserQuestion", { questions }, { text: 'The person said: "Which?"="A".' }), [
    ["prose", "Kind\n\nWhich?\n- A: the first\n\nAnswer: A"],
    ["text", 'The person said: "Which?"="A".'],
  ]);
  const [prompt, said] = blocks("Task", { subagent_type: "Explore", prompt: "**Look**" }, { text: "*Seen*" });
  assert.deepEqual([prompt, said?.[0]], [["prose", "**Look**"], "text"]);
});

test("an entry about a pull request says in its first line what happened, and a comment is prose", () => {
  const checks = { round: 1, commit: "abc", checks: [{ name: "build", conclusion: "failure" }], failing: ["build"] };
  const looked = entryWords(entry({ message_type: "DETECT_PR_ERRORS", observation: checks }));
  assert.deepEqual([looked.title, looked.about], ["Checks of the pull request", "1 of 1 check failed"]);
  assert.deepEqual(JSON.parse(looked.blocks[0]?.text ?? ""), checks);
  const comment = {
    host: "github",
    author: "ada",
    kind: "pull",
    url: "https://git.test/1",
    body: "Please *rename* it.",
  };
  const said = entryWords(entry({ message_type: "USER_GITHUB_ISSUE_COMMENT", observation: comment }));
  assert.deepEqual([said.title, said.about], ["Comment", "@ada in a pull request"]);
  assert.deepEqual([said.blocks[0]?.kind, said.blocks[0]?.text], ["prose", comment.body]);
  const { body: _, ...rest } = comment;
  assert.deepEqual(JSON.parse(said.blocks[1]?.text ?? ""), rest);
});
