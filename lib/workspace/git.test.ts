import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GitError, maskCredentials, readGit, runGit } from "./git.ts";
import { git, makeRepository, temporaryFolder, testEnv } from "./test-repository.ts";

test("git neither asks, nor runs hooks, nor reads the user's settings", async (t) => {
  const home = temporaryFolder(t);
  makeRepository(join(home, "r"));
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Home\n");
  writeFileSync(join(home, "r/.git/hooks/post-commit"), `#!/bin/sh\ntouch "${join(home, "ran")}"\n`);
  chmodSync(join(home, "r/.git/hooks/post-commit"), 0o755);
  git(join(home, "r"), "config", "core.hooksPath", join(home, "r/.git/hooks"));
  git(join(home, "r"), "config", "core.fsmonitor", `touch "${join(home, "ran")}"`);
  const options = { cwd: join(home, "r"), env: { ...testEnv, HOME: home, GIT_DIR: "/nowhere" } };
  await runGit(["-c", "user.name=a", "-c", "user.email=b", "commit", "--quiet", "--allow-empty", "-m", "x"], options);
  await runGit(["status"], options);
  assert.equal(existsSync(join(home, "ran")), false);
  await assert.rejects(readGit(["config", "user.name"], options), GitError);
});

test("git works without HOME", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(folder);
  for (const HOME of [undefined, ""]) {
    assert.equal(await readGit(["rev-list", "--count", "HEAD"], { cwd: folder, env: { ...testEnv, HOME } }), "1");
  }
});

test("a transport that runs commands is refused", async (t) => {
  const folder = temporaryFolder(t);
  const mark = join(folder, "ran").replaceAll(" ", "% ");
  await assert.rejects(
    runGit(["ls-remote", `ext::touch ${mark}`], { cwd: folder, env: testEnv }),
    /transport 'ext' not allowed/,
  );
  assert.equal(existsSync(join(folder, "ran")), false);
});

test("the message of a failure is one line by git, without credentials", async (t) => {
  const cwd = temporaryFolder(t);
  const url = "http://ada:secret@127.0.0.1:1/x.git";
  await assert.rejects(runGit(["ls-remote", url], { cwd, env: testEnv }), (error) => {
    assert.ok(error instanceof GitError);
    assert.equal(error.exitCode, 128);
    assert.match(error.message, /^git ls-remote: unable to access 'http:\/\/(\*\*\*@)?127\.0\.0\.1:1\/x\.git\/'/);
    assert.doesNotMatch(error.message, /\n/);
    assert.doesNotMatch(error.message + error.stderr, /secret/);
    return true;
  });
  assert.equal(maskCredentials("ssh://git:p@ss@h/x and https://t0ken@h"), "ssh://***@h/x and https://***@h");
});

test("credentials are masked in time proportional to the text", () => {
  for (const part of ["a", "a://", "://a@b", "a@"]) {
    const text = part.repeat(2_000_000 / part.length);
    assert.equal(maskCredentials(`${text} https://t0ken@h`).endsWith(" https://***@h"), true);
  }
});

test("a command ends at its time-out, at an abort, and at too much output", async (t) => {
  const cwd = temporaryFolder(t);
  makeRepository(cwd, { "big.txt": "x".repeat(100_000) });
  const wait = ["cat-file", "--batch"];
  const never = () => new ReadableStream<Uint8Array>();
  const { Readable } = await import("node:stream");
  const stdin = () => Readable.fromWeb(never() as Parameters<typeof Readable.fromWeb>[0]);
  await assert.rejects(
    runGit(wait, { cwd, env: testEnv, stdin: stdin(), timeoutMs: 100 }),
    (error) => error instanceof GitError && error.code === "git_timeout",
  );
  const abort = new AbortController();
  const running = runGit(wait, { cwd, env: testEnv, stdin: stdin(), signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(running, /enough/);
  const show = ["show", "HEAD:big.txt"];
  await assert.rejects(runGit(show, { cwd, env: testEnv, outputBytesMax: 1000 }), /more than 1000 bytes/);
  const part = await runGit(show, { cwd, env: testEnv, outputBytesMax: 1000, overflow: "cut" });
  assert.deepEqual([part.stdout.length, part.cut], [1000, true]);
});

test("a missing git has a clear error", async (t) => {
  const cwd = temporaryFolder(t);
  await assert.rejects(
    runGit(["version"], { cwd, env: { PATH: cwd } }),
    (error) => error instanceof GitError && error.code === "git_missing",
  );
});
