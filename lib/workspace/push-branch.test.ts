// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { pushOrFollow } from "./follow-branch.ts";
import { GitRemote, gitCommandLines } from "./git-remote.fixture.ts";
import { ensureMirror, mirrorPath } from "./mirror.ts";
import { type PushOptions, pushBranch } from "./push-branch.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const branch = "refs/heads/errand/run-5";
const others = "The branch in the remote repository has commits that this run did not make.";

/** A source, its mirror, and the work of run 5 in it: a clone of the mirror, whose commits go to the run's branch. */
async function pushable(t: TestContext) {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, "data");
  const source = join(folder, "source");
  const base = makeRepository(source);
  await ensureMirror({ dataDir, repoId: 1, source, env: testEnv });
  const mirror = mirrorPath(dataDir, 1);
  git(mirror, "update-ref", "refs/errand/base/run-5", base);
  git(mirror, "update-ref", branch, base);
  const work = join(folder, "work");
  git(folder, "clone", "--quiet", source, work);
  const commit = (text: string, ...how: string[]) => {
    writeFiles(work, { "work.txt": text });
    git(work, "add", "--all");
    git(work, "commit", "--quiet", "-m", text, ...how);
    git(work, "push", "--quiet", "--force", mirror, `HEAD:${branch}`);
    return git(work, "rev-parse", "HEAD");
  };
  const push = (more: Partial<PushOptions> = {}) =>
    pushBranch({ dataDir, repoId: 1, runId: 5, source, authorization: null, env: testEnv, ...more });
  return { folder, source, mirror, work, base, commit, push };
}

const tip = (repository: string) => git(repository, "rev-parse", "--verify", "--quiet", branch);

test("a run's branch is created in a folder, moved forward, and reported as up to date", async (t) => {
  const { source, commit, push } = await pushable(t);
  await assert.rejects(push(), (error) => error instanceof WorkspaceError && error.code === "branch_not_found");
  const one = commit("one");
  assert.deepEqual(await push(), { status: "pushed", commit: one, reason: null });
  assert.equal(tip(source), one);
  assert.deepEqual(await push(), { status: "up_to_date", commit: one, reason: null });
  const two = commit("two");
  assert.deepEqual(await push(), { status: "pushed", commit: two, reason: null });
  git(source, "branch", "-D", "errand/run-5");
  assert.equal((await push()).status, "pushed");
  assert.equal(tip(source), two);
  assert.equal(git(source, "rev-parse", "--abbrev-ref", "HEAD"), "main", "nothing was checked out");
});

test("what the run pushed itself is replaced; commits of others never are, seen before or not", async (t) => {
  const { folder, source, mirror, commit, push } = await pushable(t);
  commit("one");
  await push();
  const amended = commit("rewritten", "--amend");
  assert.deepEqual(await push(), { status: "pushed", commit: amended, reason: null });

  const person = join(folder, "person");
  git(folder, "clone", "--quiet", "--branch", "errand/run-5", source, person);
  writeFiles(person, { "person.txt": "mine\n" });
  const theirs = commitAll(person, "a person's commit");
  git(person, "push", "--quiet", "origin", "HEAD");
  const mine = commit("more");
  assert.deepEqual(await push(), { status: "refused", commit: mine, reason: others });
  git(mirror, "fetch", "--quiet", source, `${branch}:refs/remotes/origin/errand/run-5`);
  assert.deepEqual(await push(), { status: "refused", commit: mine, reason: others });
  assert.equal(tip(source), theirs);
});

test("a push that was never noted is noted by the next one, so the run may make its commit again", async (t) => {
  const { mirror, commit, push } = await pushable(t);
  commit("one");
  await push();
  git(mirror, "update-ref", "-d", "refs/errand/pushed/run-5");
  assert.equal((await push()).status, "up_to_date");
  const amended = commit("rewritten", "--amend");
  assert.deepEqual(await push(), { status: "pushed", commit: amended, reason: null });
});

test("a branch that a person has checked out is refused, even if the folder would update its files", async (t) => {
  const { source, commit, push } = await pushable(t);
  commit("one");
  await push();
  git(source, "checkout", "--quiet", "errand/run-5");
  git(source, "config", "receive.denyCurrentBranch", "updateInstead");
  const before = tip(source);
  const two = commit("two");
  assert.deepEqual(await push(), {
    status: "refused",
    commit: two,
    reason: "The branch is checked out in the repository it would be pushed to.",
  });
  assert.equal(tip(source), before);
});

test("nothing of a folder is executed by a push: no hooks, no programs of its settings", async (t) => {
  const { folder, source, commit, push } = await pushable(t);
  const mark = join(folder, "executed");
  const script = join(folder, "script");
  writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\n`);
  chmodSync(script, 0o755);
  const hooks = join(source, ".git", "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const hook of [
    "pre-receive",
    "update",
    "post-receive",
    "post-update",
    "reference-transaction",
    "proc-receive",
  ]) {
    writeFileSync(join(hooks, hook), readFileSync(script));
    chmodSync(join(hooks, hook), 0o755);
  }
  const alternate = join(folder, "alternate");
  makeRepository(alternate, { "b.txt": "b\n" });
  writeFileSync(join(source, ".git/objects/info/alternates"), `${alternate}/.git/objects\n`);
  for (const name of ["core.alternateRefsCommand", "core.fsmonitor", "core.hooksPath"]) {
    git(source, "config", name, name === "core.hooksPath" ? hooks : script);
  }
  commit("one");
  rmSync(mark, { force: true });
  assert.equal((await push()).status, "pushed");
  assert.equal(existsSync(mark), false);
});

test("a folder that cannot be written to is reported, and is left as it was", async (t) => {
  const { folder, source, commit, push } = await pushable(t);
  commit("one");
  const gone = await push({ source: join(folder, "nowhere") }).catch((error: unknown) => error);
  assert.ok(gone instanceof WorkspaceError && gone.code === "source_not_found", String(gone));
  writeFileSync(join(source, ".git/refs/heads/errand"), `${git(source, "rev-parse", "main")}\n`);
  const refused = await push();
  assert.equal(refused.status, "refused");
  assert.match(String(refused.reason), /^The remote rejected the push: /);
});

test("a remote gets the branch with the credential given, which appears in no command line and no file", async (t) => {
  const { folder, source, mirror, commit, push } = await pushable(t);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const pair = "x-access-token:very-secret-4711";
  const remote = await GitRemote.open(bare, pair);
  t.after(() => remote.close());
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  const to = { source: remote.url, authorization, allowed: allowedOf("127.0.0.0/8") };
  const commandLines: string[] = [];
  remote.before = () => commandLines.push(...gitCommandLines());

  const one = commit("one");
  assert.deepEqual(await push(to), { status: "pushed", commit: one, reason: null });
  assert.equal(tip(bare), one);
  assert.ok(
    commandLines.some((line) => line.includes("push")),
    "the push was seen",
  );
  const secrets = [pair, "very-secret-4711", authorization.slice(6)];
  for (const secret of secrets) {
    assert.ok(!commandLines.some((line) => line.includes(secret)));
    assert.ok(!readFileSync(join(mirror, "config"), "utf8").includes(secret));
  }

  const two = commit("two");
  remote.losesAnswers = true;
  assert.deepEqual(
    await push(to),
    { status: "pushed", commit: two, reason: null },
    "the answer was lost, the work not",
  );
  remote.losesAnswers = false;
  const three = commit("three");
  for (const wrong of [null, "Basic bm86bm8="]) {
    const error = await push({ ...to, authorization: wrong }).catch((cause: unknown) => cause);
    assert.ok(error instanceof WorkspaceError && error.code === "source_unavailable", String(error));
    for (const secret of secrets) assert.ok(!error.message.includes(secret));
  }
  writeFileSync(join(bare, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(bare, "hooks/pre-receive"), 0o755);
  assert.deepEqual(await push(to), {
    status: "refused",
    commit: three,
    reason: "The remote rejected the push: pre-receive hook declined.",
  });
  assert.equal(tip(bare), two);
});

test("a person's push at the same moment is never overwritten", async (t) => {
  const { folder, source, commit, push } = await pushable(t);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const remote = await GitRemote.open(bare, "a:b");
  t.after(() => remote.close());
  const to = { source: remote.url, authorization: `Basic ${btoa("a:b")}`, allowed: allowedOf("127.0.0.0/8") };
  const rounds = process.env.ERRAND_TEST_LONG === "1" ? 200 : 12;
  for (let round = 0; round < rounds; round += 1) {
    git(bare, "update-ref", "-d", branch);
    commit(`round ${round}`, "--amend");
    // Between any two requests of the push.
    let countdown = round % 4;
    let theirs = "";
    remote.before = () => {
      if (countdown-- !== 0) return;
      const tree = git(bare, "rev-parse", "main^{tree}");
      theirs = git(bare, "commit-tree", "-p", "main", "-m", `of a person ${round}`, tree);
      git(bare, "update-ref", branch, theirs);
    };
    assert.equal((await push(to)).status, "refused");
    assert.equal(tip(bare), theirs, "their commit is still there");
  }
});

test("whatever a person pushes during the push of the run's work, on top of it or beside it, their commit stays", async (t) => {
  const { folder, source, commit } = await pushable(t);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const remote = await GitRemote.open(bare, "a:b");
  t.after(() => remote.close());
  const to = { source: remote.url, authorization: `Basic ${btoa("a:b")}`, allowed: allowedOf("127.0.0.0/8") };
  const of = { dataDir: join(folder, "data"), repoId: 1, runId: 5, env: testEnv, mayFollow: async () => true, ...to };
  const outcomes = new Set<string>();
  const rounds = countOf({ short: 20, long: 200 });
  for (let round = 0; round < rounds; round += 1) {
    git(bare, "update-ref", "-d", branch);
    const first = commit(`round ${round}`, "--amend");
    if (round % 2 === 0) assert.equal((await pushOrFollow(of)).status, "pushed");
    const second = round % 2 === 0 ? commit(`round ${round}, more`) : first;
    // Between any two requests, on top of the existing commit or beside it.
    let countdown = round % 7;
    let theirs = "";
    remote.before = () => {
      if (countdown-- !== 0) return;
      const isThere = round % 3 !== 0 && git(bare, "for-each-ref", branch) !== "";
      const parent = isThere ? branch : "main";
      theirs = git(
        bare,
        "commit-tree",
        "-p",
        parent,
        "-m",
        `of a person ${round}`,
        git(bare, "rev-parse", "main^{tree}"),
      );
      git(bare, "update-ref", branch, theirs);
    };
    const { status } = await pushOrFollow(of);
    remote.before = () => {};
    outcomes.add(status);
    if (theirs === "") assert.deepEqual([status, tip(bare)], ["pushed", second]);
    else assert.equal(git(bare, "merge-base", theirs, tip(bare)), theirs, `round ${round}: ${status}`);
  }
  assert.ok(outcomes.has("pushed") && outcomes.has("refused"), [...outcomes].join());
});

test("the mirror keeps nothing of a run that is deleted during its push", async (t) => {
  const { folder, source, mirror, commit, push } = await pushable(t);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const remote = await GitRemote.open(bare, "a:b");
  t.after(() => remote.close());
  const one = commit("one");
  remote.before = ({ method }) => {
    if (method !== "POST") return;
    for (const ref of [branch, "refs/errand/base/run-5"]) git(mirror, "update-ref", "-d", ref);
  };
  const to = { source: remote.url, authorization: `Basic ${btoa("a:b")}`, allowed: allowedOf("127.0.0.0/8") };
  assert.deepEqual(await push(to), { status: "pushed", commit: one, reason: null });
  assert.equal(git(mirror, "for-each-ref", "--contains", one), "");
});
