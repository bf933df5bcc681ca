import assert from "node:assert/strict";
import { test } from "node:test";
import { toolViewOf } from "./read-tool-view.ts";
import { shortPath } from "./short-path.ts";
import { headlineOf } from "./tool-view.ts";

const view = (tool_name: string | null, tool_input: unknown, tool_output: unknown = null) =>
  toolViewOf({ tool_name, tool_input, tool_output });

const textChange = (path: string, oldText: string | null, newText: string, firstLine: number | null = null) => ({
  path,
  oldPath: null,
  status: oldText === null ? "added" : "modified",
  source: { oldText, newText, firstLine },
});
const plainShell = { kind: "shell", cwd: null, continues: null, language: "sh" };

test("the shells of all agents are shells", () => {
  for (const name of ["Bash", "bash", "shell", "exec_command", "run_shell_command", "local_shell"]) {
    const shown = view(name, { command: "node --test", description: "Run the tests" });
    assert.deepEqual(shown, { ...plainShell, command: "node --test", description: "Run the tests" });
  }
});

test("a command is shown without the shell that was started to run it", () => {
  const command = (value: unknown) => {
    const shown = view("exec_command", { command: value });
    return shown.kind === "shell" ? shown.command : null;
  };
  assert.equal(command("/bin/bash -lc 'ls -la && cat README.md'"), "ls -la && cat README.md");
  assert.equal(command("bash -c 'echo it'\\''s'"), "echo it's");
  assert.equal(command("bash -c 'echo a' 'b'"), "bash -c 'echo a' 'b'");
  assert.equal(command(["bash", "-lc", "cd x && make"]), "cd x && make");
  assert.equal(command(["git", "commit", "-m", "two words"]), "git commit -m 'two words'");
});

test("a description that only repeats the command is left out", () => {
  assert.deepEqual(view("Bash", { command: "ls", description: "ls" }), {
    ...plainShell,
    command: "ls",
    description: null,
  });
});

test("reported diffs determine what an edit shows, whatever its input says", () => {
  const diffs = [{ path: "greet.mjs", oldText: "Helo", newText: "Hello" }];
  for (const [name, input] of [
    ["Edit", { file_path: "/work/greet.mjs", old_string: "Helo", new_string: "Hello" }],
    ["edit", { title: "Editing files", path: "greet.mjs" }],
    ["replace", { title: "greet.mjs: Helo => Hello" }],
    ["some_new_tool", {}],
  ] as const) {
    const changes = diffs.map(({ path, oldText, newText }) => textChange(path, oldText, newText));
    assert.deepEqual(view(name, input, { status: "completed", diffs }), {
      kind: "edit",
      changes,
      patch: null,
      path: null,
    });
  }
});

test("a part of a file has line numbers only if the agent reported them, a whole file always", () => {
  const firstLine = (diff: object) => {
    const shown = view("edit", {}, { diffs: [{ path: "a.ts", ...diff }] });
    const source = shown.kind === "edit" ? shown.changes[0]?.source : undefined;
    return source !== undefined && "firstLine" in source ? source.firstLine : undefined;
  };
  assert.equal(firstLine({ oldText: "Helo", newText: "Hello" }), null);
  assert.equal(firstLine({ oldText: "Helo", newText: "Hello", line: 12 }), 12);
  assert.equal(firstLine({ oldText: "a\n", newText: "b\n", line: 12 }), 1);
  assert.equal(firstLine({ oldText: null, newText: "b\n" }), 1);
});

test("without reported diffs an edit shows the requested change", () => {
  const change = textChange("a.ts", "x", "y");
  assert.deepEqual(view("edit", { filePath: "a.ts", oldString: "x", newString: "y" }), {
    kind: "edit",
    changes: [change],
    patch: null,
    path: null,
  });
  assert.deepEqual(view("MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y" }] }), {
    kind: "edit",
    changes: [change],
    patch: null,
    path: null,
  });
  assert.deepEqual(view("write_file", { path: "a.ts", content: "" }), {
    kind: "edit",
    changes: [textChange("a.ts", null, "", 1)],
    patch: null,
    path: null,
  });
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n*** End Patch";
  const shown = view("apply_patch", { input: patch });
  assert.deepEqual(shown, {
    kind: "edit",
    changes: [{ path: "src/a.ts", oldPath: null, status: "modified", source: { hunks: [] } }],
    patch: null,
    path: null,
  });
  assert.equal(headlineOf(shown), "src/a.ts");
});

test("reads, searches and fetches are known by name", () => {
  assert.deepEqual(view("Read", { file_path: "a.ts", offset: 20 }), { kind: "read", path: "a.ts", firstLine: 20 });
  assert.deepEqual(view("read_file", { title: "a.ts", path: "a.ts" }), { kind: "read", path: "a.ts", firstLine: null });
  assert.deepEqual(view("Grep", { pattern: "TODO", path: "src" }), { kind: "search", query: "TODO", where: "src" });
  assert.deepEqual(view("LS", { path: "src" }), { kind: "list", path: "src" });
  assert.deepEqual(view("WebFetch", { url: "https://a.example", prompt: "x" }), {
    kind: "fetch",
    url: "https://a.example",
    prompt: "x",
  });
});

test("an unknown tool is recognized by its input", () => {
  assert.equal(view("mcp__term__bash", { command: "ls" }).kind, "shell");
  assert.equal(view("do_it", { cmd: "ls" }).kind, "shell");
  assert.equal(view(null, { url: "https://a.example" }).kind, "fetch");
  assert.equal(view("lookup", { query: "x" }).kind, "search");
});

test("a call that fits nothing is shown generically, and nothing throws", () => {
  assert.deepEqual(view("edit", { title: "Edit" }), { kind: "generic", title: "Edit" });
  assert.deepEqual(view("Bash", {}), { kind: "generic", title: null });
  for (const odd of [null, undefined, 3, [], [1], { command: 7, edits: [null], diffs: 4, path: {} }]) {
    assert.equal(view("Bash", odd, odd).kind, "generic");
    assert.equal(headlineOf(view("edit", odd, odd)), "");
  }
});

test("headlines are one line", () => {
  assert.equal(headlineOf(view("Bash", { command: "\nset -e\nmake" })), "set -e");
  assert.equal(headlineOf(view("Grep", { pattern: "x", path: "/a/b/c/d/e" })), "x in …/c/d/e");
  const diffs = [
    { path: "a", newText: "1" },
    { path: "b", newText: "2" },
    { path: "b", newText: "3" },
  ];
  assert.equal(headlineOf(view("edit", {}, { diffs })), "a and 1 more");
});

test("only long absolute paths are shortened", () => {
  assert.equal(shortPath("src/lib/deep/down/a.ts"), "src/lib/deep/down/a.ts");
  assert.equal(shortPath("/etc/hosts"), "/etc/hosts");
  assert.equal(shortPath("/data/checkouts/12/src/lib/deep/a.ts"), "src/lib/deep/a.ts");
  assert.equal(shortPath("/usr/lib/node/deep/a.js"), "…/node/deep/a.js");
  assert.equal(shortPath(`${"/checkouts/1/a".repeat(100_000)}\n`), "…/checkouts/1/a\n");
});
