import assert from "node:assert/strict";
import { test } from "node:test";
import { toolViewOf } from "./read-tool-view.ts";
import { headlineOf, type ToolKind } from "./tool-view.ts";

const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch";

/** Only the program itself knows what it runs. */
const templated = "await tools.exec_command({ cmd: `make $" + "{x}` })";

type Case = [kind: ToolKind, headline: string, tool_name: string | null, tool_input: unknown];

const cases: Record<string, Case[]> = {
  shells: [
    ["shell", "make", "Bash", { command: "make" }],
    ["shell", "make", "execute_bash", { command: "make", is_input: "false" }],
    ["shell", "make", "run_terminal_cmd", { command: "make", is_background: false }],
    ["shell", "ls -la", "bash_command", { keystrokes: "ls -la\n", duration: 0.1 }],
    ["shell", "make", "exec_command", { cmd: "make", workdir: "/w" }],
    ["shell", "cd x && make", "shell", { command: ["bash", "-lc", "cd x && make"] }],
    ["shell", "make", "terminal", { command: "make" }],
    ["shell", "curl https://a.example", "curl", { command: "curl https://a.example\n" }],
    ["shell", "y", "write_stdin", { session_id: 7, chars: "y\n" }],
    ["shell", "", "write_stdin", { session_id: 7, yield_time_ms: 1000 }],
    ["shell", "", "wait", { cell_id: "27", yield_time_ms: 1000 }],
    ["generic", "5", "wait", { seconds: "5" }],
  ],
  "editors with several commands": [
    ["read", "/w/a.py", "str_replace_editor", { command: "view", path: "/w/a.py" }],
    ["edit", "/w/a.py", "str_replace_editor", { command: "create", path: "/w/a.py", file_text: "x" }],
    ["edit", "/w/a.py", "str_replace_editor", { command: "str_replace", path: "/w/a.py", old_str: "x", new_str: "y" }],
    ["edit", "/w/a.py", "str_replace_editor", { command: "insert", path: "/w/a.py", insert_line: 3, new_str: "y" }],
    ["edit", "/w/a.py", "str_replace_editor", { command: "str_replace", path: "/w/a.py" }],
    ["edit", "/w/a.py", "str_replace_editor", { command: "undo_edit", path: "/w/a.py" }],
    ["edit", "a.py", "create", { command: "create a.py\n" }],
    ["read", "a b.py", "open", { command: 'open "a b.py" 12' }],
    ["search", "x.py", "find_file", { command: "find_file x.py src" }],
  ],
  "edits and patches": [
    ["edit", "src/a.ts", "apply_patch", { input: patch }],
    ["edit", "src/a.ts", "apply_patch", { patchText: patch }],
    ["edit", "src/a.ts", "shell", { command: ["apply_patch", patch] }],
    ["edit", "src/a.ts", "shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] }],
    ["edit", "C:\\w\\a.ts", "edit_file", { AbsolutePath: "C:\\w\\a.ts", content: "x" }],
    ["edit", "n.ipynb", "NotebookEdit", { notebook_path: "n.ipynb", new_source: "x" }],
    ["edit", "a.ts", "edit", { target_file: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }],
    ["edit", "a.ts", "replace_in_file", { path: "a.ts", diff: "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE" }],
    ["edit", "a.ts", "edit", { path: "a.ts", oldText: "x" }],
  ],
  "scripts that hold one call": [
    [
      "shell",
      "make",
      "exec",
      {
        input:
          'const r = await tools.exec_command({\n  cmd: "make", // all\n  yield_time_ms: 1_000,\n});\ntext(r.output);',
      },
    ],
    [
      "edit",
      "src/a.ts",
      "exec",
      { input: `const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));` },
    ],
    ["edit", "src/a.ts", "exec", { input: `await tools.apply_patch(\`${patch}\`)` }],
    [
      "fetch",
      "https://a.example",
      "exec",
      { input: 'await tools.web__run({ open: [{ ref_id: "https://a.example" }] })' },
    ],
    ["shell", "", "exec", { input: 'await tools.write_stdin({ session_id: 7, chars: "" })' }],
    [
      "shell",
      "await Promise.all([tools.a({}), tools.b({})])",
      "exec",
      { input: "await Promise.all([tools.a({}), tools.b({})])" },
    ],
    ["shell", templated, "exec", { input: templated }],
  ],
  "looking and searching": [
    ["read", "a.ts", "Read", { file_path: "a.ts" }],
    ["search", "TODO in src", "grep", { pattern: "TODO", path: "src" }],
    ["search", "**/*.ts", "Glob", { pattern: "**/*.ts" }],
    ["list", "src", "LS", { path: "src" }],
    ["list", ".", "list_dir", {}],
    ["search", "node 24", "WebSearch", { query: "node 24" }],
    ["fetch", "https://a.example", "webfetch", { url: "https://a.example", format: "markdown" }],
    ["browser", "go https://a.example", "web_browser_go", { url: "https://a.example" }],
    ["browser", "click element 151", "web_browser_click", { element_id: 151 }],
    ["browser", "snapshot", "mcp__playwright__browser_snapshot", {}],
  ],
  "plans, agents, questions, thoughts and answers": [
    [
      "plan",
      "1 of 2 done",
      "TodoWrite",
      {
        todos: [
          { content: "a", status: "completed" },
          { content: "b", status: "pending" },
        ],
      },
    ],
    [
      "plan",
      "0 of 2 done",
      "update_plan",
      {
        plan: [
          { step: "a", status: "in_progress" },
          { step: "b", status: "failed" },
        ],
      },
    ],
    ["plan", "Mend it", "TaskCreate", { subject: "Mend it", description: "All of it" }],
    ["plan", "Task 3", "TaskUpdate", { taskId: "3", status: "completed" }],
    ["agent", "Look around", "Task", { subagent_type: "Explore", description: "Look around", prompt: "…" }],
    [
      "agent",
      "review changes",
      "task",
      { command: "review", subagent_type: "build", description: "review changes", prompt: "…" },
    ],
    ["agent", "Review it", "spawn_agent", { agent_type: "default", message: "Review it" }],
    ["agent", "Wait for 2 agents", "wait_agent", { targets: ["a", "b"], timeout_ms: 1 }],
    ["question", "Which?", "AskUserQuestion", { questions: [{ question: "Which?", options: [] }] }],
    ["think", "Hm.", "think", { thought: "Hm.\nSo." }],
    ["answer", "Done.", "finish", { message: "Done." }],
    ["answer", "", "submit", {}],
  ],
  "any other tool is generic, with the first short text": [
    ["generic", "Paris", "get_weather", { days: 3, city: "Paris" }],
    ["generic", "mia_li", "get_user_details", { user_id: "mia_li" }],
    ["generic", "", "mcp__pencil__get_editor_state", { include_schema: true }],
    ["generic", "a.pen", "mcp__pencil__batch_get", { filePath: "a.pen", nodeIds: ["1"], readDepth: 2 }],
  ],
};

for (const [name, table] of Object.entries(cases)) {
  test(`kinds: ${name}`, () => {
    for (const [kind, headline, tool_name, tool_input] of table) {
      const view = toolViewOf({ tool_name, tool_input, tool_output: { output: "" } });
      assert.deepEqual([view.kind, headlineOf(view)], [kind, headline], JSON.stringify([tool_name, tool_input]));
    }
  });
}

test("a call that continues a session names it, and an input without a session is a new command", () => {
  const session = (tool_name: string, tool_input: unknown) => {
    const view = toolViewOf({ tool_name, tool_input, tool_output: null });
    return view.kind === "shell" ? view.continues : undefined;
  };
  assert.equal(session("write_stdin", { session_id: 31007, chars: "" }), "31007");
  assert.equal(session("wait", { cell_id: "27" }), "27");
  assert.equal(session("exec_command", { cmd: "make" }), null);
});

test("a command is a patch only if its last line before the patch applies it, and is read in linear time", () => {
  const kind = (tool_name: string, command: string) =>
    toolViewOf({ tool_name, tool_input: { command }, tool_output: null }).kind;
  const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
  for (const before of ["apply_patch ", "cd a && apply_patch <<'EOF'\n", "(apply_patch '", 'x\napply_patch\n\n  "']) {
    assert.equal(kind("shell", before + patch), "edit", before);
  }
  for (const before of ["apply_patch <<EOF\nx\n", "apply_patched ", "my-apply_patch ", "apply_patch\n\nx'"]) {
    assert.equal(kind("shell", before + patch), "shell", before);
  }
  assert.equal(kind("shell", `${" apply_patch".repeat(200_000)}\nx\n${patch}`), "shell");
  assert.equal(kind("shell", `apply_patch${" ".repeat(2_000_000)}x\ny${patch}`), "shell");
  assert.equal(kind("create", `create a${" ".repeat(2_000_000)}b`), "edit");
  assert.equal(kind("edit", `edit ${"1".repeat(2_000_000)}`), "shell");
});

test("hostile scripts take no time and run nothing", () => {
  for (const input of [
    "tools.a(".repeat(50_000),
    `tools.a(${"[".repeat(100_000)}`,
    `tools.a("${"\\u".repeat(100_000)}`,
    "tools.a({ __proto__: 1 })",
  ]) {
    const view = toolViewOf({ tool_name: "exec", tool_input: { input }, tool_output: null });
    assert.ok(view.kind === "shell" || view.kind === "generic");
  }
});
