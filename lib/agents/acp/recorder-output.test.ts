import assert from "node:assert/strict";
import { test } from "node:test";
import { toolResultOf } from "#lib/entry/result.ts";
import { diff, record, text } from "./recorder-under-test.fixture.ts";
import { keptCharactersMax } from "./storable.ts";

test("a terminal's output comes in pieces in _meta, with the exit code at the end", () => {
  const run = record();
  run.call({
    name: "exec_command",
    kind: "execute",
    status: "in_progress",
    content: [{ type: "terminal", terminalId: "t" }],
  });
  run.change({ _meta: { terminal_output_delta: { data: "one\n" } } });
  assert.equal(run.recorder.progress().tools[0]?.output, "one\n");
  run.change({
    status: "failed",
    _meta: { terminal_output_delta: { data: "two\n" }, terminal_exit: { exit_code: 2, signal: null } },
  });
  const { status, exit_code, output } = run.entries[0]?.tool_output ?? {};
  assert.deepEqual([status, exit_code, output], ["failed", 2, "one\ntwo\n"]);
});

test("exit codes are read from where each agent puts them, and any code except 0 is a failure", () => {
  const output = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ kind: "execute", status: "completed", ...fields });
    const { status, exit_code, output: told } = run.entries[0]?.tool_output ?? {};
    return [status, exit_code, told];
  };
  assert.deepEqual(output({ rawOutput: { output: "x", metadata: { exit: 1 } } }), ["failed", 1, "x"]);
  assert.deepEqual(output({ rawOutput: { output: "x", exitCode: 0 } }), ["completed", 0, "x"]);
  assert.deepEqual(output({ rawOutput: { output: "x", exit_code: 3 } }), ["failed", 3, "x"]);
  assert.deepEqual(output({ status: "failed", rawOutput: "Exit code 4\nboom" }), ["failed", 4, "Exit code 4\nboom"]);
  assert.deepEqual(output({ rawOutput: { stdout: "a", stderr: "b" } }), ["completed", undefined, "a\nb"]);
  assert.deepEqual(output({ rawOutput: { error: "no" } }), ["completed", undefined, "no"]);
});

test("the outcome of a call is judged by the common rules: an answer is not a failure, refusals and stops in words are recognized", () => {
  const status = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ kind: "execute", status: "failed", ...fields });
    return run.entries[0]?.tool_output?.status;
  };
  const grep = { rawInput: { command: "grep -rn TODO src" } };
  assert.equal(status({ ...grep, rawOutput: { output: "", exit_code: 1 } }), "completed");
  assert.equal(status({ ...grep, rawOutput: { output: "grep: bad option", exit_code: 2 } }), "failed");
  assert.equal(
    status({ rawInput: { command: "make" }, rawOutput: "The user doesn't want to proceed with this tool use." }),
    "rejected",
  );
  assert.equal(status({ rawInput: { command: "make" }, rawOutput: "[Request interrupted by user]" }), "cancelled");
});

test("an edit's result does not repeat the contents that its diffs hold", () => {
  const run = record();
  const result = { fileName: "a.txt", fileDiff: "@@ -1 +1 @@", originalContent: "one", newContent: "two", errors: "" };
  run.call({
    ...{ kind: "edit", status: "completed", rawOutput: result },
    content: [{ type: "diff", path: "/work/a.txt", oldText: "one", newText: "two" }],
  });
  assert.deepEqual(run.entries[0]?.tool_output?.result, {
    ...{ fileName: "a.txt", fileDiff: "@@ -1 +1 @@", errors: "" },
  });
  run.call({
    ...{ toolCallId: "u", kind: "edit", status: "completed", rawOutput: result },
    content: [{ type: "diff", path: "/work/a.txt", oldText: "on", newText: "tw" }],
  });
  assert.deepEqual(run.entries[1]?.tool_output?.result, result, "a diff of a part does not hold the contents");
});

test("an output of an unknown shape is kept as it is", () => {
  const run = record();
  run.call({ status: "completed", rawOutput: { matches: [1, 2] } });
  run.call({ toolCallId: "u", status: "completed", rawOutput: [true] });
  assert.deepEqual(
    run.entries.map((entry) => entry.tool_output?.result),
    [{ matches: [1, 2] }, [true]],
  );
});

test("content is the output if there is no other, and an observation only if it says more", () => {
  const told = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ status: "completed", ...fields });
    return [run.entries[0]?.tool_output?.output, run.entries[0]?.observation];
  };
  assert.deepEqual(told({ content: [text("a file")], rawOutput: "" }), ["a file", null]);
  assert.deepEqual(told({ content: [text("```console\nhello\n```")], rawOutput: "hello" }), ["hello", null]);
  assert.deepEqual(told({ content: [text("\u001b[31mred\u001b[0m")], rawOutput: "red" }), ["red", null]);
  assert.deepEqual(told({ content: [text("a remark")], rawOutput: "data" }), ["data", "a remark"]);
  const wrapped = "Command: x\nOutput: a long enough output\nExit Code: 0";
  assert.deepEqual(told({ content: [text(wrapped)], rawOutput: "a long enough output" }), [
    "a long enough output",
    null,
  ]);
  assert.deepEqual(told({ content: [text("why it runs")], rawInput: { description: "why it runs" } }), [
    undefined,
    null,
  ]);
  const image = { type: "content", content: { type: "image", mimeType: "image/png", data: "AAAA" } };
  assert.deepEqual(told({ content: [image] }), [undefined, null]);
});

test("the last diff counts, even if the last message has none", () => {
  const run = record();
  run.call({ kind: "edit", content: [diff("/repo/lib/a.ts", "Helo", "Hello")] });
  run.change({ content: [diff("/repo/lib/a.ts", "say Helo", "say Hello"), diff("/tmp/new", null, "x")] });
  run.change({ status: "completed", content: [text("done")] });
  assert.deepEqual(run.entries[0]?.tool_output?.diffs, [
    { path: "lib/a.ts", oldText: "say Helo", newText: "say Hello" },
    { path: "/tmp/new", oldText: null, newText: "x" },
  ]);
});

test("the parts of an edit begin at the agent's line numbers, if each part has one", () => {
  const parts = [diff("/repo/a.ts", "Helo", "Hello"), diff("/repo/a.ts", "bye", "Bye")];
  const linesOf = (locations: unknown[]) => {
    const run = record();
    run.call({ kind: "edit", status: "completed", content: parts, locations });
    const diffs = run.entries[0]?.tool_output?.diffs;
    return Array.isArray(diffs) && diffs.map(({ line }) => line);
  };
  const at = (line: unknown, path = "/repo/a.ts") => ({ path, line });
  assert.deepEqual(linesOf([at(7), at(90)]), [7, 90]);
  assert.deepEqual(linesOf([at(7)]), [undefined, undefined]);
  assert.deepEqual(linesOf([at(7, "/repo/b.ts"), at(0)]), [undefined, undefined]);
});

test("NUL and lone surrogates are made storable everywhere", () => {
  const run = record();
  run.say("a\u0000\ud800b");
  run.call({
    title: "\u0000",
    kind: "execute",
    rawInput: { "k\u0000": "\udfff", deep: [{ x: "\u0000" }] },
    status: "completed",
    rawOutput: "o\u0000\ud83d",
  });
  const json = JSON.stringify(run.entries[0]);
  assert.doesNotMatch(json, /\\u0000|\\ud[89a-f]/i);
  assert.equal(run.entries[0]?.tool_output?.output, "o\u2400\ufffd");
  assert.equal(run.entries[0]?.thought, "a\u2400\ufffdb");
});

test("an output beyond the bound loses its middle and says how much, whether streamed or in one piece", () => {
  const size = keptCharactersMax + 5000;
  const whole = record();
  whole.call({ status: "completed", rawOutput: `first${"x".repeat(size - 9)}last` });
  const streamed = record();
  streamed.call({ kind: "execute" });
  streamed.change({ _meta: { terminal_output_delta: { data: "first" } } });
  for (let sent = 9; sent < size; sent += 1_048_576) {
    streamed.change({ _meta: { terminal_output_delta: { data: "x".repeat(Math.min(1_048_576, size - sent)) } } });
  }
  streamed.change({ status: "completed", _meta: { terminal_output_delta: { data: "last" } } });
  for (const { entries } of [whole, streamed]) {
    const { output, truncated } = entries[0]?.tool_output ?? {};
    assert.ok(typeof output === "string");
    assert.ok(output.startsWith("firstx") && output.endsWith("xlast"));
    assert.match(
      output.slice(keptCharactersMax / 2 - 200, keptCharactersMax / 2 + 200),
      /characters were left out here/,
    );
    const { kept, dropped } = truncated as { kept: number; dropped: number };
    assert.ok(dropped >= 5000 && dropped < 6000 && kept <= keptCharactersMax, `${kept} ${dropped}`);
  }
});

test("a terminal's output that is sent whole again and again is kept once; pieces under the same name are appended", () => {
  const run = record();
  const whole = (data: string) => run.change({ _meta: { terminal_output: { data } } });
  run.call({ kind: "execute", status: "in_progress" });
  whole("one\n");
  whole("one\ntwo\n");
  assert.equal(run.recorder.progress().tools[0]?.output, "one\ntwo\n");
  whole("three\n");
  run.change({ status: "completed", _meta: { terminal_exit: { exit_code: 0, signal: null } } });
  assert.equal(run.entries[0]?.tool_output?.output, "one\ntwo\nthree\n");
});

test("a codex command that only looks at files is a read, a search or a list with its path", () => {
  const looked = (kind: string, title: string, path?: string) => {
    const run = record();
    const locations = path === undefined ? [] : [{ path }];
    run.call({ name: "exec_command", kind, title, locations, status: "completed" });
    return [run.entries[0]?.tool_name, run.entries[0]?.tool_input];
  };
  assert.deepEqual(looked("read", "Read file 'a.txt'", "/repo/src/a.txt"), ["read", { path: "src/a.txt" }]);
  assert.deepEqual(looked("read", "Read file 'it's.txt'"), ["read", { path: "it's.txt" }]);
  assert.deepEqual(looked("read", "List files in 'src'"), ["list_files", { path: "src" }]);
  assert.deepEqual(looked("read", "List files"), ["list_files", { path: "." }]);
  assert.deepEqual(looked("search", "Search for 'a b' in src"), ["search", { path: "src", pattern: "a b" }]);
  assert.deepEqual(looked("search", "Search for 'x'"), ["search", { pattern: "x" }]);
  assert.deepEqual(looked("search", "Search in 'src'"), ["search", { path: "src", title: "Search in 'src'" }]);
});

test("a call that reports nothing says that its output is not reported; an empty output counts as one", () => {
  const reported = (fields: Record<string, unknown>) => {
    const run = record();
    run.call({ kind: "execute", status: "completed", ...fields });
    return run.entries[0]?.tool_output?.output_reported;
  };
  assert.equal(reported({}), false);
  assert.equal(reported({ rawOutput: "" }), undefined);
  assert.equal(reported({ rawOutput: { exit_code: 0 } }), undefined);
  assert.equal(reported({ content: [text("fine")] }), undefined);
  assert.equal(reported({ content: [diff("a", "1", "2")] }), undefined);
  assert.equal(reported({ _meta: { terminal_output: { data: "" } } }), undefined);
});

test("a text that repeats a numbered output is no observation, another one is", () => {
  const observed = (output: string, said: string) => {
    const run = record();
    run.call({ kind: "read", status: "completed", rawOutput: { output }, content: [text(said)] });
    return run.entries[0]?.observation;
  };
  assert.equal(observed("1\tone\n2\ttwo\n3\tthree", "one\ntwo\nthree"), null);
  assert.equal(observed("<path>/a</path>\n<content>\n7: one\n8: two\n\n(End of file)\n</content>", "one\ntwo"), null);
  assert.equal(observed("1\tone\n2\ttwo", "one\nnine"), "one\nnine");
  // Qwen Code's report on a command, of a short output and of one that it cut.
  assert.equal(observed("ok", "Command: npm test\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0"), null);
  assert.equal(observed("one\n[cut]", "Command: a &&\nb\nDirectory: (root)\nOutput: one\ntwo\nExit Code: 0"), null);
  assert.equal(observed("ok", "Command: what it would do"), "Command: what it would do");
});

test("images of a call are kept within a bound, and of other media type and size are said", () => {
  const run = record();
  const content = (block: object) => ({ type: "content", content: block });
  const data = "iVBORw0KGgo=";
  run.call({
    ...{ kind: "fetch", status: "completed" },
    content: [
      content({ type: "text", text: "seen" }),
      content({ type: "image", mimeType: "image/png", data }),
      content({ type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" }),
      content({ type: "image", mimeType: "image/png", data: "A".repeat(9 * 1024 * 1024) }),
      content({ type: "audio", mimeType: "audio/wav", data: "AAAA" }),
    ],
  });
  const { output, content: kept } = run.entries[0]?.tool_output ?? {};
  assert.deepEqual(kept, [{ type: "image", mimeType: "image/png", data }]);
  assert.equal(
    output,
    "seen\n[image image/svg+xml, 5 B, not kept]\n[image image/png, 6.75 MB, not kept]\n[audio audio/wav, 3 B, not kept]",
  );
  const { output: shown, images, rest } = toolResultOf(run.entries[0]?.tool_output);
  assert.deepEqual([shown, images.map(({ type }) => type), rest], [output, ["image/png"], null]);
});
