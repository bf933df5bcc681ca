// Tier: rest
import assert from "node:assert/strict";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commitAndKeep } from "./finish.ts";
import { pushOrFollow } from "./follow-branch.ts";
import type { LeftOut } from "./left-out.ts";
import { mirrorPath } from "./mirror.ts";
import { removeRun } from "./remove-run.ts";
import { openCheckout } from "./resume-checkout.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";

const branch = "refs/heads/errand/run-5";

/** Run 5 has pushed its first commit, and a person has pushed another on top of it. */
async function followable(t: TestContext) {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, "data");
  const source = join(folder, "source");
  makeRepository(source);
  const open = (onLost?: (lost: LeftOut[]) => void) =>
    openCheckout({ dataDir, runId: 5, repoId: 1, source, baseBranch: null, env: testEnv, ...(onLost && { onLost }) });
  /** A turn that writes this text, after what it does before. */
  const turn = async (text: string, before: (path: string) => void = () => {}) => {
    const checkout = await open();
    before(checkout.path);
    writeFiles(checkout.path, { "work.txt": text });
    await commitAndKeep({ checkout, message: "work", env: testEnv });
  };
  const push = async (mayFollow = true) => {
    const run = { dataDir, repoId: 1, runId: 5, source, authorization: null, env: testEnv };
    return (await pushOrFollow({ ...run, mayFollow: async () => mayFollow })).status;
  };
  await turn("one\n");
  assert.equal(await push(), "pushed");
  const person = join(folder, "person");
  git(folder, "clone", "--quiet", "--branch", "errand/run-5", source, person);
  const give = (file: string) => {
    git(person, "pull", "--quiet", "--no-rebase", "origin", "errand/run-5");
    writeFiles(person, { [file]: "mine\n" });
    const commit = commitAll(person, `a person's ${file}`);
    git(person, "push", "--quiet", "origin", "HEAD");
    return commit;
  };
  const theirs = give("person.txt");
  const isThere = (commit: string) => git(source, "merge-base", commit, branch) === commit;
  return { dataDir, source, person, open, turn, push, give, theirs, isThere };
}

test("what others pushed is taken over, and an agent that drops it again cannot overwrite it", async (t) => {
  const { turn, push, give, theirs, isThere } = await followable(t);
  assert.equal(await push(), "followed");
  await turn("two\n");
  assert.equal(await push(), "pushed", "the run's commit is on top of theirs");
  assert.ok(isThere(theirs));
  const reset = (steps: number) => (path: string) => git(path, "reset", "--quiet", "--hard", `HEAD~${steps}`);
  await turn("three\n", reset(1));
  assert.equal(await push(), "pushed", "its own commit may be made again");
  await turn("four\n", reset(2));
  assert.equal(await push(), "refused", "theirs may not be dropped");
  assert.ok(isThere(theirs));
  const later = give("more.txt");
  assert.equal(await push(), "refused");
  assert.ok(isThere(theirs) && isThere(later));
});

test("once others have removed their commits themselves, the run may make its own again", async (t) => {
  const { source, turn, push } = await followable(t);
  assert.equal(await push(), "followed");
  git(source, "branch", "-D", "errand/run-5");
  await turn("two\n", (path) => git(path, "reset", "--quiet", "--hard", "HEAD~1"));
  assert.equal(await push(), "pushed");
  await turn("three\n", (path) => git(path, "reset", "--quiet", "--hard", "HEAD~1"));
  assert.equal(await push(), "pushed");
});

test("once a turn has begun, its branch is moved no more; its push then leaves theirs there", async (t) => {
  const { open, turn, push, theirs, isThere } = await followable(t);
  await open();
  assert.equal(await push(false), "refused");
  await turn("two\n");
  assert.equal(await push(), "refused");
  assert.ok(isThere(theirs));
});

test("another branch of the source that was renamed does not stop it", async (t) => {
  const { source, turn, push, give } = await followable(t);
  git(source, "branch", "topic");
  assert.equal(await push(), "followed");
  git(source, "branch", "-m", "topic", "topic/more");
  await turn("two\n");
  assert.equal(await push(), "pushed");
  give("more.txt");
  assert.equal(await push(), "followed");
});

test("work of an interrupted turn is not lost: while it is in the checkout, nothing is taken over", async (t) => {
  const { open, turn, push, theirs, isThere } = await followable(t);
  const { path } = await open();
  writeFiles(path, { "new.txt": "of a turn that was interrupted\n" });
  assert.equal(await push(), "refused");
  commitAll(path, "by the agent, not yet kept");
  assert.equal(await push(), "refused");
  const again = await open();
  assert.equal(git(again.path, "ls-files", "new.txt"), "new.txt");
  git(path, "reset", "--quiet", "--hard", "HEAD~1");
  assert.equal(await push(), "followed");
  await turn("two\n");
  assert.equal(await push(), "pushed");
  assert.ok(isThere(theirs));
});

test("nothing is taken over while a checkout has staged work that is nowhere else, or an operation that was not finished", async (t) => {
  const { open, push, theirs } = await followable(t);
  const { path } = await open();
  const stage = (file: string) => {
    writeFiles(path, { [file]: "only staged\n" });
    git(path, "add", file);
  };
  stage("gone.txt");
  rmSync(join(path, "gone.txt"));
  assert.equal(await push(), "refused", "staged, then deleted");
  git(path, "reset", "--quiet");
  stage("work.txt");
  writeFiles(path, { "work.txt": "one\n" });
  assert.equal(await push(), "refused", "staged, then changed back");
  assert.equal(git(path, "show", ":work.txt"), "only staged");
  git(path, "reset", "--quiet");
  git(path, "checkout", "--quiet", "--detach", "HEAD~1");
  writeFiles(path, { "other.txt": "other\n" });
  const other = commitAll(path, "other");
  git(path, "checkout", "--quiet", "errand/run-5");
  git(path, "merge", "--quiet", "--no-commit", "--strategy=ours", other);
  assert.equal(await push(), "refused", "a merge");
  git(path, "merge", "--quit");
  rmSync(join(path, ".git/index"));
  writeFiles(path, { ".git/index": "cannot be read" });
  assert.equal(await push(), "refused");
  rmSync(join(path, ".git/index"));
  assert.equal(await push(), "followed");
  await open();
  assert.equal(git(path, "rev-parse", "HEAD"), theirs);
});

test("taking over what others pushed keeps the checkout's stash, other branches and ignored files", async (t) => {
  const { source, person, open, turn, push, give } = await followable(t);
  await turn("two\n", (path) => writeFiles(path, { ".gitignore": "*.log\n" }));
  git(source, "branch", "-D", "errand/run-5");
  assert.equal(await push(), "pushed");
  const { path } = await open();
  writeFiles(path, { "x.log": "ignored\n", "work.txt": "stashed\n" });
  git(path, "stash", "--quiet");
  git(path, "branch", "mine");
  const theirs = give("more.txt");
  assert.equal(await push(), "followed");
  const again = await open();
  assert.equal(git(path, "rev-parse", "HEAD", "mine").split("\n")[0], theirs);
  assert.equal(git(path, "symbolic-ref", "HEAD"), branch);
  assert.equal(git(path, "status", "--porcelain", "--ignored"), "!! x.log");
  assert.equal(git(path, "show", "stash@{0}:work.txt"), "stashed");
  assert.equal(git(path, "cat-file", "-t", `${theirs}:more.txt`), "blob");
  assert.equal(again.path, path);

  writeFiles(path, { "later.log": "ignored\n" });
  writeFiles(person, { "later.log": "mine\n" });
  git(person, "add", "--force", "later.log");
  give("with-it.txt");
  assert.equal(await push(), "refused", "an ignored file would be overwritten");
  rmSync(join(path, "later.log"));
  assert.equal(await push(), "followed");
  rmSync(join(path, ".git"), { recursive: true });
  assert.equal(git((await open()).path, "ls-files", "later.log"), "later.log");
});

test("nothing is taken over that would overwrite an edit which git was told to ignore, or an ignored link", async (t) => {
  const { source, person, open, turn, push, give } = await followable(t);
  await turn("two\n", (path) => writeFiles(path, { ".gitignore": "*.log\n", "work.txt": "two\n" }));
  git(source, "branch", "-D", "errand/run-5");
  assert.equal(await push(), "pushed");
  const { path } = await open();
  const elsewhere = temporaryFolder(t);
  symlinkSync(elsewhere, join(path, "ln.log"));
  git(person, "fetch", "--quiet", "origin");
  git(person, "reset", "--quiet", "--hard", "origin/errand/run-5");
  writeFiles(person, { "ln.log/inside.txt": "mine\n" });
  git(person, "add", "--force", "ln.log/inside.txt");
  give("with-it.txt");
  assert.equal(await push(), "refused");
  rmSync(join(path, "ln.log"));
  for (const flag of ["assume-unchanged", "skip-worktree"]) {
    git(path, "update-index", `--${flag}`, "work.txt");
    writeFiles(path, { "work.txt": "hidden\n" });
    writeFiles(person, { "work.txt": `${flag}\n` });
    git(person, "add", "work.txt");
    give(`${flag}.txt`);
    assert.equal(await push(), "refused", flag);
    git(path, "update-index", `--no-${flag}`, "work.txt");
  }
  git(path, "checkout", "--quiet", "work.txt");
  assert.equal(await push(), "followed");
});

test("a checkout that cannot be moved is made again, and tells what was lost", async (t) => {
  const { source, open, turn, push, give } = await followable(t);
  await turn("two\n", (path) => {
    writeFiles(path, { ".gitignore": "*.log\ncache/\n", "kept.log": "one\n" });
    git(path, "add", "--force", "kept.log");
  });
  git(source, "branch", "-D", "errand/run-5");
  assert.equal(await push(), "pushed");
  give("more.txt");
  const { path } = await open();
  writeFiles(path, { "y.txt": "y\n" });
  git(path, "stash", "--quiet", "--include-untracked");
  writeFiles(path, { "ü.log": "ignored\n", "cache/a": "a", "cache/b": "b" });
  assert.equal(await push(), "followed");
  writeFiles(path, { ".git/index": "damaged" });
  const lost: string[] = [];
  await open((work) => lost.push(...work.map(({ path, why }) => `${path} ${why}`)));
  assert.deepEqual(lost, ["stash stash", "cache/ ignored", "ü.log ignored"]);
  assert.equal(git(path, "ls-files", "more.txt"), "more.txt");
});

test("taking over what others pushed also learns what they merged, and deleting the run forgets all of it", async (t) => {
  const { dataDir, source, person, push, isThere } = await followable(t);
  writeFiles(source, { "main.txt": "of main\n" });
  const main = commitAll(source, "of main");
  git(person, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
  git(person, "push", "--quiet", "origin", "HEAD");
  assert.equal(await push(), "followed");
  assert.ok(isThere(main));
  const mirror = mirrorPath(dataDir, 1);
  assert.equal(git(mirror, "rev-parse", "refs/remotes/origin/main"), main);
  // As left by an engine that was killed while it compared the branches.
  git(mirror, "update-ref", "refs/errand/theirs/run-5", branch);
  await removeRun({ dataDir, runId: 5, repositoryId: 1, env: testEnv });
  const left = git(mirror, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/errand");
  assert.equal(left, "refs/errand/head", "the source's own branches stay");
});
