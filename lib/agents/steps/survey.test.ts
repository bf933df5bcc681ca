// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gitRepository, lastPlan, startAgent, tempFolder, textOf, toolCalls } from "./agent-under-test.ts";
import { detectTests } from "./detect-tests.ts";

const passing = 'import { test } from "node:test";\ntest("passes", () => {});\n';
const failing = 'import { test } from "node:test";\ntest("fails", () => { throw new Error("no"); });\n';

test("without steps the repository is surveyed and its tests are run", async (t) => {
  const cwd = gitRepository(t, { "README.md": "# Greeter\n", "src/a.ts": "", "src/b.ts": "", "a.test.mjs": passing });
  const { prompt, newSession, updates } = await startAgent(t);
  assert.deepEqual(await prompt(await newSession(cwd), "Fix the typo.\n\n```ts\nno step\n```"), {
    stopReason: "end_turn",
  });
  const calls = toolCalls(updates);
  assert.deepEqual(
    calls.map(({ name, title, status }) => [name, title, status]),
    [
      ["shell", "Recent history", "completed"],
      ["shell", "Count files by type", "completed"],
      ["shell", "Size of the last commit", "completed"],
      ["shell", "First lines of README.md", "completed"],
      ["shell", "Run the tests: node --test", "completed"],
    ],
  );
  const outputs = calls.map((call) => String(Object(call.rawOutput).output));
  assert.match(outputs[0] ?? "", /first/);
  assert.match(outputs[1] ?? "", /^ +2 \.ts\n/);
  assert.match(outputs[2] ?? "", /^4 files, \d+ bytes\n$/);
  assert.equal(outputs[3], "# Greeter\n");
  const thought = textOf(updates, "agent_thought_chunk");
  assert.match(thought, /have no language model\. The prompt contains no steps/);
  assert.match(thought, /I will not run 1 code block because of its language: `ts`\./);
  const message = textOf(updates, "agent_message_chunk");
  assert.match(message, /^I have no language model, so I did not act on the words of the prompt/);
  assert.match(
    message,
    /surveyed the repository instead\. I did not run 1 code block because of its language: `ts`\. Steps/,
  );
  assert.match(message, /The tests pass: `node --test` exited with 0\./);
  assert.match(message, /The work tree has no uncommitted changes\./);
});

test("failing tests in a survey are reported and do not fail the run", async (t) => {
  const cwd = gitRepository(t, { "a.test.mjs": failing });
  const { prompt, newSession, updates } = await startAgent(t);
  assert.deepEqual(await prompt(await newSession(cwd), "Look around."), { stopReason: "end_turn" });
  assert.equal(toolCalls(updates).at(-1)?.status, "failed");
  assert.match(textOf(updates, "agent_message_chunk"), /The tests do not pass: `node --test` exited with 1\./);
  assert.match(lastPlan(updates).at(-1)?.content ?? "", /\(failed, exit 1\)$/);
});

test("an empty repository, one without a commit, and a plain folder can be surveyed", async (t) => {
  for (const cwd of [gitRepository(t), tempFolder(t)]) {
    const { prompt, newSession, updates } = await startAgent(t);
    assert.deepEqual(await prompt(await newSession(cwd), "Hello"), { stopReason: "end_turn" });
    assert.ok(toolCalls(updates).every((call) => call.status === "completed"));
    assert.match(textOf(updates, "agent_message_chunk"), /I found no tests that I know how to run/);
  }
});

test("in the read-only mode a survey reads but does not run the tests", async (t) => {
  const cwd = gitRepository(t, { "package.json": '{"scripts":{"test":"touch tested"}}' });
  const { prompt, newSession, updates } = await startAgent(t);
  assert.deepEqual(await prompt(await newSession(cwd, "read-only"), "Hello"), { stopReason: "end_turn" });
  assert.deepEqual([toolCalls(updates).length, existsSync(join(cwd, "tested"))], [3, false]);
  assert.match(textOf(updates, "agent_message_chunk"), /would run with `npm test`; .* read-only mode/);
});

test("a test tool that is not installed is named", async (t) => {
  const cwd = gitRepository(t, { "go.mod": "module example.com/x\n" });
  // A PATH with git and the shell's tools, but without go.
  const bin = tempFolder(t);
  for (const tool of ["git", "bash", "awk", "sort", "head"]) {
    symlinkSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(), join(bin, tool));
  }
  const { prompt, newSession, updates } = await startAgent(t, { env: { PATH: bin } });
  assert.deepEqual(await prompt(await newSession(cwd), "Hello"), { stopReason: "end_turn" });
  assert.ok(toolCalls(updates).every((call) => call.status === "completed"));
  assert.match(textOf(updates, "agent_message_chunk"), /`go test \.\/\.\.\.`, but `go` is not installed here/);
});

test("looking for the tests' command ends at its limit and on a cancel", async (t) => {
  const cwd = tempFolder(t);
  writeFileSync(join(cwd, "package.json"), '{"scripts":{"test":"x"}}');
  const place = { cwd, env: {}, signal: new AbortController().signal };
  assert.deepEqual(await detectTests(place, ["package.json"], 0), { kind: "too slow", seconds: 0 });
  const cancelled = { ...place, signal: AbortSignal.abort(new Error("cancelled")) };
  await assert.rejects(detectTests(cancelled, ["package.json"]), { message: "cancelled" });
});

test("the tests' command is found in the files of a repository", async (t) => {
  const bin = tempFolder(t);
  for (const tool of ["npm", "pnpm", "yarn", "bun", "go", "cargo", "pytest", "mvn", "gradle", "mix", "make", "node"]) {
    writeFileSync(join(bin, tool), "");
    chmodSync(join(bin, tool), 0o755);
  }
  const commandOf = async (files: Record<string, string>) => {
    const cwd = tempFolder(t);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(cwd, path, ".."), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const detection = await detectTests(
      { cwd, env: { PATH: bin }, signal: new AbortController().signal },
      Object.keys(files),
    );
    return detection.kind === "found" ? detection.command : detection.kind;
  };
  const script = '{"scripts":{"test":"vitest run"}}';
  assert.equal(await commandOf({ "package.json": script }), "npm test");
  assert.equal(await commandOf({ "package.json": script, "pnpm-lock.yaml": "" }), "pnpm test");
  assert.equal(await commandOf({ "package.json": script, "yarn.lock": "" }), "yarn test");
  assert.equal(await commandOf({ "package.json": script, "bun.lock": "" }), "bun run test");
  assert.equal(
    await commandOf({ "package.json": '{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}', "yarn.lock": "" }),
    "pnpm test",
  );
  const unset = '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}';
  assert.equal(await commandOf({ "package.json": unset }), "none");
  assert.equal(await commandOf({ "package.json": unset, "lib/a.test.ts": "" }), "node --test");
  assert.equal(await commandOf({ "package.json": "{broken", "go.mod": "" }), "go test ./...");
  assert.equal(await commandOf({ "Cargo.toml": "" }), "cargo test");
  assert.equal(await commandOf({ "tests/test_a.py": "" }), "pytest");
  assert.equal(await commandOf({ "pyproject.toml": "[tool.pytest.ini_options]\n" }), "pytest");
  assert.equal(await commandOf({ "pyproject.toml": "[project]\n" }), "none");
  assert.equal(await commandOf({ "pom.xml": "" }), "mvn -B test");
  assert.equal(await commandOf({ "build.gradle.kts": "", gradlew: "" }), "./gradlew --console=plain --no-daemon test");
  assert.equal(await commandOf({ "mix.exs": "" }), "mix test");
  assert.equal(await commandOf({ Makefile: "all:\n\ntest: all\n\ttrue\n" }), "make test");
  assert.equal(await commandOf({ Makefile: "test := 1\ntesting:\n" }), "none");
  assert.equal(await commandOf({ "README.md": "" }), "none");
});
