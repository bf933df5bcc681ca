// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commitAndKeep } from "./finish.ts";
import { pushOrFollow } from "./follow-branch.ts";
import { ensureMirror, mirrorPath } from "./mirror.ts";
import { pruneMirror } from "./remove-run.ts";
import { openCheckout } from "./resume-checkout.ts";
import { commitAll, testEnv as env, git, makeRepository, temporaryFolder, writeFiles } from "./test-repository.ts";

/** Run 1 of the branch `dev`, which has got a second commit between its first two turns. */
async function begun(t: TestContext) {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source);
  const give = (text: string) => {
    writeFiles(source, { "theirs.txt": text });
    return commitAll(source, text);
  };
  const asked = { dataDir, repoId: 1, source, env };
  /** What is told of a turn in which the agent does this. */
  const turn = async (work: (path: string) => void = (path) => git(path, "log")) => {
    const checkout = await openCheckout({ ...asked, runId: 1, baseBranch: "dev" });
    work(checkout.path);
    const { leftOut } = await commitAndKeep({ checkout, message: "Work", env });
    return leftOut.map(({ path, why }) => `${path} ${why}`);
  };
  git(source, "switch", "--quiet", "-c", "dev");
  assert.deepEqual(await turn(), []);
  const two = give("two");
  assert.deepEqual(await turn((path) => assert.equal(git(path, "rev-parse", "dev"), two)), []);
  return { dataDir, source, asked, two, give, turn };
}

const rewritings: Record<string, (source: string) => void> = {
  amended: (source) => git(source, "commit", "--quiet", "--amend", "-m", "better"),
  deleted: (source) => {
    git(source, "switch", "--quiet", "main");
    git(source, "branch", "-D", "dev");
  },
  replaced: (source) => {
    git(source, "switch", "--quiet", "--orphan", "other");
    writeFiles(source, { "other.txt": "other" });
    commitAll(source, "other");
    git(source, "branch", "--force", "dev", "other");
  },
};

for (const [how, rewrite] of Object.entries(rewritings)) {
  test(`commits of a base branch that was ${how} at the source are not told as the agent's`, async (t) => {
    const { dataDir, source, turn } = await begun(t);
    rewrite(source);
    assert.deepEqual(await turn(), []);
    await pruneMirror({ dataDir, repositoryId: 1, env });
    assert.deepEqual(await turn(), [], "the mirror no longer has them");
  });
}

test("of branches at commits that the source had, only what the agent added is told", async (t) => {
  const { source, asked, give, turn, two } = await begun(t);
  git(source, "switch", "--quiet", "-c", "topic");
  give("topic");
  const looksAt = (path: string) => {
    for (const name of ["looked", "own"]) git(path, "branch", name, "origin/topic");
    git(path, "switch", "--quiet", "--detach", "origin/topic");
    git(path, "switch", "--quiet", "errand/run-1");
    git(path, "worktree", "add", "--quiet", "--detach", join(path, "../wt"), "origin/topic");
  };
  assert.deepEqual(await turn(looksAt), []);
  give("in between");
  await ensureMirror(asked);
  git(source, "switch", "--quiet", "dev");
  git(source, "branch", "-D", "topic");
  const addsTo = (path: string) => {
    git(path, "switch", "--quiet", "own");
    writeFiles(path, { "own.txt": "own" });
    commitAll(path, "own");
    git(path, "switch", "--quiet", "errand/run-1");
  };
  assert.deepEqual(await turn(addsTo), ["own branch"]);
  assert.equal(git(source, "rev-parse", "dev"), two);
});

test("what the fetch after a push replaces is the source's, the run's own pushed commits are not", async (t) => {
  const { dataDir, source, asked, two, turn } = await begun(t);
  const push = async () => {
    const run = { dataDir, repoId: 1, runId: 1, source, authorization: null, env };
    return (await pushOrFollow({ ...run, mayFollow: async () => true })).status;
  };
  await turn((path) => writeFiles(path, { "own.txt": "own" }));
  assert.equal(await push(), "pushed");
  await ensureMirror(asked);
  const person = join(source, "../person");
  git(source, "clone", "--quiet", "--branch", "errand/run-1", source, person);
  writeFiles(person, { "person.txt": "person" });
  commitAll(person, "person");
  git(person, "push", "--quiet", "origin", "HEAD");
  rewritings.amended?.(source);
  assert.equal(await push(), "followed");
  assert.notEqual(git(mirrorPath(dataDir, 1), "rev-parse", "refs/remotes/origin/dev"), two);
  const undoes = (path: string) => {
    git(path, "branch", "before");
    git(path, "reset", "--quiet", "--hard", "HEAD~2");
    writeFiles(path, { "own.txt": "again" });
  };
  assert.deepEqual(await turn(undoes), []);
  git(source, "branch", "-D", "errand/run-1");
  assert.deepEqual(await turn(), ["before branch"]);
});
