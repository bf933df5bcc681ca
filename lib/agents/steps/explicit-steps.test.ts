import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contentText, gitRepository, lastPlan, startAgent, tempFolder, textOf, toolCalls } from "./agent-under-test.ts";

test("the steps of a prompt run in order, one tool call each, with thoughts, plan and real results", async (t) => {
  const cwd = gitRepository(t, { "greet.txt": "Helo\n" });
  const { prompt, newSession, updates } = await startAgent(t);
  const answer = await prompt(
    await newSession(cwd),
    [
      "Mend the greeting:",
      "```diff\n--- a/greet.txt\n+++ b/greet.txt\n@@ -1 +1 @@\n-Helo\n+Hello\n```",
      "```sh\n# say it\ncat greet.txt\necho oops >&2; pwd\n```",
      "Keep a note.\n```text path=notes/today.txt\nDone.\n```",
    ].join("\n\n"),
  );
  assert.deepEqual(answer, { stopReason: "end_turn" });
  const calls = toolCalls(updates);
  assert.deepEqual(
    calls.map(({ name, kind, title, status }) => ({ name, kind, title, status })),
    [
      { name: "apply_patch", kind: "edit", title: "Apply the patch to greet.txt", status: "completed" },
      { name: "shell", kind: "execute", title: "cat greet.txt …", status: "completed" },
      { name: "write_file", kind: "edit", title: "Write notes/today.txt", status: "completed" },
    ],
  );
  assert.deepEqual(calls[0]?.content, [
    { type: "diff", path: join(cwd, "greet.txt"), oldText: "Helo\n", newText: "Hello\n" },
  ]);
  const { duration_ms, ...output } = Object(calls[1]?.rawOutput);
  assert.deepEqual(output, { exit_code: 0, signal: null, output: `Hello\noops\n${cwd}\n`, truncated: false });
  assert.equal(typeof duration_ms, "number");
  assert.deepEqual(calls[1]?.rawInput, { command: "# say it\ncat greet.txt\necho oops >&2; pwd" });
  assert.equal(contentText(calls[1]), `Hello\noops\n${cwd}\n`);
  assert.deepEqual(calls[2]?.content, [
    { type: "diff", path: join(cwd, "notes/today.txt"), oldText: null, newText: "Done.\n" },
  ]);
  assert.equal(readFileSync(join(cwd, "notes/today.txt"), "utf8"), "Done.\n");
  assert.ok(lastPlan(updates).every(({ status }) => status === "completed"));
  const thoughts = textOf(updates, "agent_thought_chunk");
  assert.match(thoughts, /have no language model\. The prompt contains 3 steps/);
  assert.match(thoughts, /Mend the greeting:\n+This command is written in the prompt\.\n+Keep a note\./);
  const message = textOf(updates, "agent_message_chunk");
  assert.match(message, /^All 3 steps succeeded\.\n\n1\. `Apply the patch to greet\.txt`: done\n/);
  assert.match(message, / M greet\.txt\n\?\? notes\//);
});

test("the turn stops at the first failing step and is answered with an error that names it", async (t) => {
  const cwd = gitRepository(t, { "a.txt": "a\n" });
  const { prompt, newSession, updates } = await startAgent(t);
  const sessionId = await newSession(cwd);
  const answer = await prompt(
    sessionId,
    "```sh\ntrue\n```\n```sh\necho no; false\necho never\n```\n```sh\ntouch never\n```",
  );
  assert.deepEqual(answer, {
    error: {
      code: -32050,
      message: "Step 2 of 3 failed: `echo no; false …` exited with 1",
      data: { step: 2, steps: 3, command: "echo no; false\necho never", exit_code: 1 },
    },
  });
  assert.deepEqual(
    toolCalls(updates).map((call) => [call.status, Object(call.rawOutput).output]),
    [
      ["completed", ""],
      ["failed", "no\n"],
    ],
  );
  assert.deepEqual(
    lastPlan(updates).map(({ status }) => status),
    ["completed", "completed", "pending"],
  );
  const last = updates.at(-1);
  assert.ok(last?.sessionUpdate === "agent_message_chunk");
  assert.match(
    textOf([last], "agent_message_chunk"),
    /^Step 2 of 3 failed: .*\n\n1\..*: done\n2\..*: failed, exit 1\n3\..*: not run/,
  );
  assert.ok(!existsSync(join(cwd, "never")));
  assert.deepEqual(await prompt(sessionId, "```sh\ntrue\n```"), { stopReason: "end_turn" });
});

test("a command ended by a signal, and a missing folder, are reported as such", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, updates } = await startAgent(t);
  const sessionId = await newSession(cwd);
  const killed = await prompt(sessionId, "```sh\nkill -KILL $$\n```");
  assert.equal("error" in killed && killed.error.message, "Step 1 of 1 failed: `kill -KILL $$` was ended by SIGKILL");
  const gone = await prompt(sessionId, `\`\`\`sh\nrmdir '${cwd}'\n\`\`\`\n\`\`\`sh\ntrue\n\`\`\``);
  assert.match(JSON.stringify(gone), /Step 2 of 2 failed: `true` could not be started: the working folder is gone/);
  assert.equal(toolCalls(updates).at(-1)?.status, "failed");
  mkdirSync(cwd);
});

test("a patch is applied atomically, and created, deleted and renamed files are reported", async (t) => {
  const cwd = gitRepository(t, { "old.txt": "1\n2\n3\n", "gone.txt": "x\n" });
  const { prompt, newSession, updates } = await startAgent(t);
  const sessionId = await newSession(cwd);
  const good = [
    "diff --git a/old.txt b/new name.txt\nsimilarity index 50%\nrename from old.txt\nrename to new name.txt",
    "--- a/old.txt\n+++ b/new name.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3",
    "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x",
    "--- /dev/null\n+++ b/sub/born.txt\n@@ -0,0 +1 @@\n+hi",
  ].join("\n");
  assert.deepEqual(await prompt(sessionId, `\`\`\`diff\n${good}\n\`\`\``), { stopReason: "end_turn" });
  assert.deepEqual(toolCalls(updates)[0]?.content, [
    { type: "diff", path: join(cwd, "new name.txt"), oldText: "1\n2\n3\n", newText: "1\ntwo\n3\n" },
    { type: "diff", path: join(cwd, "gone.txt"), oldText: "x\n", newText: "" },
    { type: "diff", path: join(cwd, "sub/born.txt"), oldText: null, newText: "hi\n" },
  ]);
  assert.equal(toolCalls(updates)[0]?.title, "Apply the patch to new name.txt and 2 more");

  const half =
    "--- a/sub/born.txt\n+++ b/sub/born.txt\n@@ -1 +1 @@\n-hi\n+ho\n--- a/new name.txt\n+++ b/new name.txt\n@@ -1 +1 @@\n-no\n+yes";
  const answer = await prompt(sessionId, `\`\`\`diff\n${half}\n\`\`\``);
  assert.match(
    JSON.stringify(answer),
    /Step 1 of 1 failed: the patch to `sub\/born\.txt` did not apply \(git apply exited with 1\)/,
  );
  assert.equal(readFileSync(join(cwd, "sub/born.txt"), "utf8"), "hi\n");
  assert.match(contentText(toolCalls(updates)[1]), /patch failed: new name\.txt:1/);
});

test("a patch without prefixes, in a folder inside a larger repository, changes that folder", async (t) => {
  const cwd = join(gitRepository(t, { "inner/src/a.txt": "a\n" }), "inner");
  const { prompt, newSession } = await startAgent(t);
  const patch = "```diff\n--- src/a.txt\n+++ src/a.txt\n@@ -1 +1 @@\n-a\n+b\n```";
  assert.deepEqual(await prompt(await newSession(cwd), patch), { stopReason: "end_turn" });
  assert.equal(readFileSync(join(cwd, "src/a.txt"), "utf8"), "b\n");
});

test("patches and written files end their lines as the files do, also where git would convert them", async (t) => {
  for (const attributes of [null, "* text=auto\n"]) {
    const bat = "@echo off\r\necho one\r\necho two\r\n";
    const cwd = gitRepository(t, { "a.bat": bat, "b.txt": "x\n", "c.bat": "one\r\n" });
    if (attributes !== null) writeFileSync(join(cwd, ".gitattributes"), attributes);
    const { prompt, newSession, updates } = await startAgent(t);
    const patch =
      "--- a/a.bat\n+++ b/a.bat\n@@ -1,3 +1,3 @@\n @echo off\n-echo one\n+echo ONE\n echo two\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1,2 @@\n x\n+y\n";
    const text = `\`\`\`diff\n${patch}\`\`\`\n\n\`\`\`bat path=c.bat\none\ntwo\n\`\`\``;
    assert.deepEqual(
      await prompt(await newSession(cwd), text),
      { stopReason: "end_turn" },
      textOf(updates, "agent_message_chunk"),
    );
    assert.equal(readFileSync(join(cwd, "a.bat"), "utf8"), bat.replace("one", "ONE"));
    assert.equal(readFileSync(join(cwd, "b.txt"), "utf8"), "x\ny\n");
    assert.equal(readFileSync(join(cwd, "c.bat"), "utf8"), "one\r\ntwo\r\n");
    const [patched, written] = toolCalls(updates);
    assert.deepEqual(patched?.content?.[0], {
      ...{ type: "diff", path: join(cwd, "a.bat") },
      ...{ oldText: bat, newText: bat.replace("one", "ONE") },
    });
    assert.match(String(Object(written?.rawOutput).output), /10 bytes, lines end in CRLF as before/);
  }
});

test("files are written only inside the working folder and never in .git", async (t) => {
  const outside = tempFolder(t);
  const cwd = gitRepository(t, { "a.txt": "a\n" });
  symlinkSync(outside, join(cwd, "out"));
  symlinkSync(join(outside, "nowhere"), join(cwd, "dangling"));
  symlinkSync(".git", join(cwd, "meta"));
  symlinkSync("a.txt", join(cwd, "link.txt"));
  mkdirSync(join(cwd, "folder"));
  const { prompt, newSession, updates } = await startAgent(t);
  const sessionId = await newSession(cwd);
  const refused = [
    "../x",
    "a/../../x",
    join(outside, "x"),
    ".git/config",
    "sub/.GIT/x",
    "out/x",
    "dangling",
    "meta/config",
  ];
  for (const path of [...refused, "folder", "folder/", "a.txt/x", "."]) {
    const answer = await prompt(sessionId, `\`\`\`text path="${path}"\nevil\n\`\`\``);
    assert.match(JSON.stringify(answer), /Step 1 of 1 failed: .* was not written: /, path);
    assert.equal(toolCalls(updates).at(-1)?.status, "failed");
  }
  const patch = "```diff\n--- /dev/null\n+++ b/out/x\n@@ -0,0 +1 @@\n+evil\n```";
  assert.match(JSON.stringify(await prompt(sessionId, patch)), /was not applied: .* symbolic link out of/);
  assert.ok(!existsSync(join(outside, "x")) && !existsSync(join(outside, "nowhere")));
  assert.doesNotMatch(readFileSync(join(cwd, ".git/config"), "utf8"), /evil/);

  assert.deepEqual(await prompt(sessionId, "```text path=link.txt\nnew\n```"), { stopReason: "end_turn" });
  assert.equal(readFileSync(join(cwd, "a.txt"), "utf8"), "new\n");
});

test("a step that the system refuses has failed, and its tool call is closed", async (t) => {
  const { prompt, newSession, updates } = await startAgent(t);
  const name = "n".repeat(256);
  const patch = `\`\`\`diff\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n\`\`\``;
  const answer = await prompt(await newSession(gitRepository(t)), `\`\`\`sh\ntrue\n\`\`\`\n${patch}`);
  assert.match(
    JSON.stringify(answer),
    /Step 2 of 2 failed: `Apply the patch to n+…` could not be run: ENAMETOOLONG: name too long/,
  );
  const [, call] = toolCalls(updates);
  assert.equal(call?.status, "failed");
  assert.match(contentText(call), /^Not run: ENAMETOOLONG/);
});

test("a written file keeps its mode, and a binary one is not shown as text", async (t) => {
  const cwd = tempFolder(t);
  writeFileSync(join(cwd, "run.sh"), "old\n", { mode: 0o755 });
  writeFileSync(join(cwd, "image"), Buffer.from([0, 1, 2]));
  const { prompt, newSession, updates } = await startAgent(t);
  const answer = await prompt(await newSession(cwd), "```sh path=run.sh\nnew\n```\n```text path=image\ntext\n```");
  assert.deepEqual(answer, { stopReason: "end_turn" });
  assert.equal(statSync(join(cwd, "run.sh")).mode & 0o777, 0o755);
  assert.match(contentText(toolCalls(updates)[1]), /its text is not shown \(binary\)/);
});

test("a repository without a commit works", async (t) => {
  const cwd = gitRepository(t);
  const { prompt, newSession } = await startAgent(t);
  const patch =
    "```diff\n--- /dev/null\n+++ b/first.txt\n@@ -0,0 +1 @@\n+1\n```\n```sh\ngit add . && git status --short\n```";
  assert.deepEqual(await prompt(await newSession(cwd), patch), { stopReason: "end_turn" });
});

test("a script larger than one argument may be is run", async (t) => {
  const { prompt, newSession, updates } = await startAgent(t);
  const answer = await prompt(
    await newSession(tempFolder(t)),
    `\`\`\`sh\n${": filler\n".repeat(40_000)}echo end\n\`\`\``,
  );
  assert.deepEqual(answer, { stopReason: "end_turn" });
  assert.equal(Object(toolCalls(updates)[0]?.rawOutput).output, "end\n");
});

test("a prompt of more than 500 steps is refused as a whole", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, updates } = await startAgent(t);
  const answer = await prompt(await newSession(cwd), "```sh\ntouch never\n```\n".repeat(501));
  assert.match(JSON.stringify(answer), /the prompt contains 501 steps; at most 500 are run/);
  assert.deepEqual([updates.length, existsSync(join(cwd, "never"))], [0, false]);
});
