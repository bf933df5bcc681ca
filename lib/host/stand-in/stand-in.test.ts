import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { CodeHost, type Pushed } from "#lib/host/code-host.fixture.ts";
import { temporaryFolder, writeFiles } from "#lib/workspace/test-repository.ts";
import { hostToken } from "./host-state.fixture.ts";

const run = promisify(execFile);
const authorization = `Authorization: Basic ${btoa(`x-access-token:${hostToken}`)}`;

/** A clone of a repository of the stand-in, made with its credential. */
async function cloned(t: TestContext) {
  const host = await CodeHost.open("github");
  t.after(() => host.close());
  const source = await host.createRepository("team/app");
  const folder = join(temporaryFolder(t), "clone");
  const git = async (...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost", "-c", `http.extraHeader=${authorization}`];
    const { stdout } = await run("git", [...who, ...args], { cwd: args[0] === "clone" ? "/" : folder, env });
    return stdout.trim();
  };
  await git("clone", "--quiet", source, folder);
  const commit = async (files: Record<string, string>) => {
    writeFiles(folder, files);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "work");
    return await git("rev-parse", "HEAD");
  };
  return { host, source, git, commit };
}

const said = (words: RegExp) => (error: Error & { stderr?: string }) => words.test(error.stderr ?? "");

test("the stand-in accepts a push with its credential, and refuses what a code host refuses", async (t) => {
  const { host, source, git, commit } = await cloned(t);
  const pushes: Pushed[] = [];
  host.onPush = (pushed) => void pushes.push(pushed);
  await git("checkout", "--quiet", "-b", "work");
  const first = await commit({ "b.txt": "two\n" });
  await git("push", "--quiet", "origin", "work");
  assert.deepEqual(pushes, [{ fullName: "team/app", branch: "work", before: null, after: first }]);
  await assert.rejects(run("git", ["ls-remote", source], { env: { ...process.env, GIT_ASKPASS: "true" } }));

  const second = await host.pushAs("bob", "team/app", "work", { "c.txt": "three\n" });
  await commit({ "b.txt": "four\n" });
  await assert.rejects(git("push", `--force-with-lease=work:${first}`, "origin", "work"), said(/stale info/));
  assert.equal(await host.git.headOf("team/app", "work"), second);
  host.protect("team/app", { branches: ["main"], workflows: true });
  await assert.rejects(git("push", "origin", "HEAD:main"), said(/Protected branch update failed/));
  await commit({ ".github/workflows/ci.yml": "on: push\n" });
  await assert.rejects(git("push", "origin", "HEAD:other"), said(/without .workflow. scope/));
  host.setRules("team/app", { readOnly: true });
  await assert.rejects(git("push", "origin", "HEAD:more"), said(/403/));
  assert.equal(pushes.length, 1);
  host.setRules("team/app", { readOnly: false, hidden: true });
  await assert.rejects(git("ls-remote"), said(/not found/));
});

test("changes at the stand-in leave their events in order", async (t) => {
  const { host, git, commit } = await cloned(t);
  host.addPerson("ada", "write");
  const named = () =>
    host.takeEvents().map(({ headers, body }) => [headers["x-github-event"], JSON.parse(body).action]);
  await git("checkout", "--quiet", "-b", "work");
  const head = await commit({ "b.txt": "two\n" });
  await git("push", "--quiet", "origin", "work");
  const headers = { authorization: `Bearer ${hostToken}` };
  const body = JSON.stringify({ head: "work", base: "main", title: "Work", body: "" });
  const answer = await fetch(`${host.baseUrl}/api/v3/repos/team/app/pulls`, { method: "POST", headers, body });
  assert.equal(answer.status, 201);
  host.setCheck("team/app", head, { name: "build", conclusion: null });
  host.setCheck("team/app", head, { name: "build", conclusion: "failure" });
  await commit({ "b.txt": "three\n" });
  await git("push", "--quiet", "origin", "work");
  await host.actOn("team/app", 1, "merged", "ada");
  assert.deepEqual(named(), [
    ["pull_request", "opened"],
    ["check_run", "created"],
    ["check_run", "completed"],
    ["pull_request", "synchronize"],
    ["pull_request", "closed"],
  ]);
  assert.equal(await host.git.read("team/app", "main", "b.txt"), "three");
  assert.deepEqual(named(), []);
});
