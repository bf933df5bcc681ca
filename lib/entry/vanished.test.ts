import assert from "node:assert/strict";
import { test } from "node:test";
import { inputRest } from "./input-rest.ts";
import { withLinkLists } from "./link-list.ts";
import { toolViewOf } from "./read-tool-view.ts";
import { toolResultOf } from "./result.ts";

const viewOf = (tool_name: string, tool_input: unknown, tool_output: unknown = null) =>
  toolViewOf({ tool_name, tool_input, tool_output });

test("a cell of a notebook and a sketch of an edit are changes, not sessions or words of success", () => {
  for (const [name, input] of [
    ["NotebookEdit", { notebook_path: "a.ipynb", cell_id: "c3", new_source: "print(1)", edit_mode: "replace" }],
    ["edit_file", { target_file: "a.ipynb", instructions: "Print one", code_edit: "print(1)" }],
  ] as const) {
    const view = viewOf(name, input);
    assert.equal(view.kind, "edit");
    assert.deepEqual(view.kind === "edit" && view.changes, [
      {
        path: "a.ipynb",
        oldPath: null,
        status: "modified",
        source: { oldText: null, newText: "print(1)", firstLine: null },
      },
    ]);
  }
  const notebook = { notebook_path: "a.ipynb", cell_id: "c3", new_source: "print(1)", edit_mode: "replace" };
  assert.deepEqual(inputRest(viewOf("NotebookEdit", notebook), notebook), { cell_id: "c3", edit_mode: "replace" });
});

test("every field of an input is on the card: in its place, or in the rest", () => {
  const rest = (name: string, input: object) => inputRest(viewOf(name, input), input);
  assert.deepEqual(rest("Bash", { command: "make", description: "Build", timeout: 5, cwd: null }), { timeout: 5 });
  assert.deepEqual(rest("Read", { file_path: "/a/b.ts" }), null);
  assert.deepEqual(rest("Grep", { pattern: "x", path: "src", glob: "*.ts", "-n": true }), { glob: "*.ts", "-n": true });
  assert.deepEqual(rest("Edit", { file_path: "a", old_string: "1", new_string: "2", replace_all: true }), {
    replace_all: true,
  });
  assert.deepEqual(rest("mcp__docs__lookup", { q: "x" }), null);
  assert.deepEqual(rest("AskUserQuestion", { questions: [{ question: "Go on?" }], metadata: { a: 1 } }), {
    metadata: { a: 1 },
  });
});

test("the output of a background command is its streams and its status", () => {
  const printed =
    "<status>failed</status>\n\n<exit_code>3</exit_code>\n\n<stdout>\nhello\n</stdout>\n\n<stderr>\noops\n</stderr>";
  const { stdout, stderr, exitCode, chips, output } = toolResultOf(printed);
  assert.deepEqual([stdout, stderr, exitCode, output], ["hello\n", "oops\n", 3, "hello\n\noops\n"]);
  assert.deepEqual(chips, [{ label: "status", value: "failed" }]);
  assert.equal(toolResultOf("<status>ok</status> and more").output, "<status>ok</status> and more");
});

test("an answer that is one of the offered options is the answer", () => {
  const answerOf = (output: unknown) => {
    const view = viewOf("ask_user", { question: "Go on?", options: ["Yes", "No"] }, output);
    return view.kind === "question" ? view.questions[0]?.answer : undefined;
  };
  assert.deepEqual(["Yes\n", { output: "No" }, "Perhaps", null].map(answerOf), ["Yes", "No", null, null]);
});

test("links of a web search are lines, and what only looks like them stays", () => {
  const links =
    'Found.\n\nLinks: [{"title":"A [1]","url":"https://a.example"},{"title":"B","url":"https://b.example/}]"}]\nEnd';
  assert.equal(withLinkLists(links), "Found.\n\nLinks: \n- A [1]: https://a.example\n- B: https://b.example/}]\nEnd");
  for (const text of ['[{"title":"A"}]', '[{"title":', '[{"title":"A","url":"u","more":1}]']) {
    assert.equal(withLinkLists(text), text);
  }
});
