// Tier: rest
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { compareCommits } from "./kept-work.ts";
import type { MeasuredBefore } from "./measure-changes.ts";
import { ensureMirror } from "./mirror.ts";
import { openCheckout } from "./resume-checkout.ts";
import { prepareGit } from "./shared-objects.ts";
import { commitAll, testEnv as env, git, makeRepository, temporaryFolder, writeFiles } from "./test-repository.ts";

/** Run 1 has added the file `own` in its first turn, and the source has got the file `theirs` since. */
async function begun(t: TestContext) {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  const first = makeRepository(source, { a: "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  const asked = { dataDir, repoId: 1, source, env };
  const checkout = await createCheckout({ ...asked, runId: 1, baseBranch: null });
  const inCheckout = (...args: string[]) => git(checkout.path, ...args);
  const fetch = () => ensureMirror(asked);
  /** Ends a turn; returns its changes as file names. */
  const turn = async (before: MeasuredBefore | null = null) => {
    const kept = await commitAndKeep({ checkout, message: "Work", env, fetch, before });
    return { ...kept, files: filesIn(kept.diff) };
  };
  const since = async (from: string | null, { commit: to, base }: { commit: string | null; base: string | null }) => {
    const place = { dataDir, runId: 1, repositoryId: 1, env };
    return Buffer.from((await compareCommits({ ...place, from, to, base })).diff).toString();
  };
  writeFiles(checkout.path, { own: "own\n" });
  const one = await turn();
  assert.deepEqual([one.files, one.base, one.isMergeBase], [["own"], first, true]);
  writeFiles(source, { theirs: "theirs\n" });
  const theirs = commitAll(source, "theirs");
  /** As an agent on the leash may: the mirror does not know of it. */
  const pull = (how: string) => {
    inCheckout("fetch", "--quiet", source, "main");
    inCheckout(...how.split(" "), "FETCH_HEAD");
  };
  return { dataDir, source, checkout, first, one, theirs, inCheckout, turn, since, fetch, pull };
}

const filesIn = (diff: Uint8Array | string) =>
  [
    ...Buffer.from(diff)
      .toString()
      .matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm),
  ]
    .map(([, path]) => path)
    .sort();

for (const how of ["merge --quiet --message m", "rebase --quiet"]) {
  test(`after "git ${how}" the changes are the run's own work, since a turn too`, async (t) => {
    const { one, theirs, turn, since, pull, checkout } = await begun(t);
    pull(how);
    writeFiles(checkout.path, { own: "own\nmore\n" });
    const two = await turn();
    assert.deepEqual([two.files, two.insertions, two.base, two.isMergeBase], [["own"], 2, theirs, true]);
    const later = await since(one.commit, two);
    assert.deepEqual(filesIn(later), ["own"]);
    assert.match(later, /^\+more$/m);
    assert.doesNotMatch(later, /^[+-]own$/m);
  });
}

test("what was picked from the base branch is the run's work until the base branch is merged", async (t) => {
  const { first, theirs, turn, pull } = await begun(t);
  pull("cherry-pick");
  const picked = await turn();
  assert.deepEqual([picked.files, picked.base], [["own", "theirs"], first]);
  pull("merge --quiet --message m");
  const merged = await turn();
  assert.deepEqual([merged.files, merged.base], [["own"], theirs]);
});

test("of a file that both changed, the changes since a turn have the run's lines only, and a conflict as it was solved", async (t) => {
  const { source, checkout, turn, since, pull, inCheckout } = await begun(t);
  writeFiles(checkout.path, { a: "one\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  const two = await turn();
  writeFiles(source, { a: "eins\n2\n3\n4\n5\n6\n7\n8\nneun\n" });
  commitAll(source, "a");
  assert.throws(() => pull("merge --quiet --message m"), /FETCH_HEAD/);
  writeFiles(checkout.path, { a: "uno\n2\n3\n4\n5\n6\n7\n8\nneun\n" });
  inCheckout("commit", "--quiet", "--all", "--message", "solved");
  const diff = await since(two.commit, await turn());
  assert.deepEqual(filesIn(diff), ["a"]);
  assert.match(diff, /^\+uno$/m);
  assert.doesNotMatch(diff, /^[+-]neun|<<<<|>>>>/m);
});

test("where the base branch was rewritten, the commit that the run began from or last merged stays its base", async (t) => {
  const { source, first, theirs, turn, pull, checkout, fetch } = await begun(t);
  pull("merge --quiet --message m");
  assert.equal((await turn()).base, theirs);
  git(source, "reset", "--quiet", "--hard", first);
  writeFiles(source, { other: "other\n" });
  const other = commitAll(source, "instead");
  await fetch();
  writeFiles(checkout.path, { own: "more\n" });
  const kept = await turn();
  assert.deepEqual([kept.files, kept.base, kept.isMergeBase], [["own"], theirs, false]);
  pull("reset --quiet --hard");
  writeFiles(checkout.path, { own: "again\n" });
  const moved = await turn();
  assert.deepEqual([moved.files, moved.base, moved.isMergeBase], [["own"], other, true]);
});

test("a branch without any history of the base branch is compared with the commit that the run began from", async (t) => {
  const { first, turn, inCheckout } = await begun(t);
  inCheckout("checkout", "--quiet", "--orphan", "new");
  inCheckout("commit", "--quiet", "--message", "from nothing");
  const kept = await turn();
  assert.deepEqual([kept.files, kept.base, kept.isMergeBase], [["own"], first, false]);
});

test("a base branch that was renamed or deleted counts as the source's default branch", async (t) => {
  const { source, theirs, turn, pull, checkout } = await begun(t);
  git(source, "branch", "--move", "trunk");
  checkout.baseBranch = "main";
  git(checkout.path, "fetch", "--quiet", source, "trunk");
  git(checkout.path, "merge", "--quiet", "--message", "m", "FETCH_HEAD");
  const kept = await turn();
  assert.deepEqual([kept.files, kept.base, kept.isMergeBase], [["own"], theirs, true]);
  assert.throws(() => pull("merge"), /main/);
});

test("the changes of a merged run stay, until it does more", async (t) => {
  const { source, one, turn, pull, checkout, first, fetch } = await begun(t);
  git(source, "fetch", "--quiet", checkout.mirror, "errand/run-1");
  git(source, "merge", "--quiet", "--message", "merged", "FETCH_HEAD");
  await fetch();
  const asked = await turn({ head: one.commit, isFrozen: false });
  assert.equal(asked.replaces, false);
  pull("merge --quiet --message m");
  assert.equal((await turn({ head: one.commit, isFrozen: true })).replaces, false, "its pull request is merged");
  writeFiles(checkout.path, { more: "more\n" });
  const more = await turn({ head: one.commit, isFrozen: true });
  assert.deepEqual([more.replaces, more.files], [true, ["more"]]);
  assert.notEqual(more.base, first);
});

test("work that the base branch has in another commit is recognized, and counted as before", async (t) => {
  const { source, turn, fetch, checkout, inCheckout } = await begun(t);
  inCheckout("commit", "--quiet", "--allow-empty", "--message", "empty");
  assert.equal((await turn()).isInBase, false);
  git(source, "fetch", "--quiet", checkout.mirror, "errand/run-1");
  git(source, "merge", "--quiet", "--squash", "FETCH_HEAD");
  commitAll(source, "squashed");
  await fetch();
  const kept = await turn();
  assert.deepEqual([kept.files, kept.isInBase], [["own"], true]);
  writeFiles(checkout.path, { more: "more\n" });
  const more = await turn();
  assert.deepEqual([more.files, more.isInBase], [["more", "own"], false]);
});

test("a run without a repository is compared with an empty folder", async (t) => {
  const asked = { dataDir: temporaryFolder(t), repoId: null, source: null, baseBranch: null, env };
  const checkout = await createCheckout({ ...asked, runId: 1 });
  writeFiles(checkout.path, { own: "own\n" });
  commitAll(checkout.path, "by the agent");
  const kept = await commitAndKeep({ checkout, message: "Work", env });
  assert.deepEqual([filesIn(kept.diff), kept.base, kept.isMergeBase], [["own"], null, true]);
});

test("behind the wall, what is new comes to the objects that a checkout shares with its mirror", async (t) => {
  const { dataDir, source, checkout, theirs } = await begun(t);
  const directory = join(checkout.path, ".git");
  await prepareGit(directory);
  writeFiles(directory, { "refs/remotes/origin/main": `${"1".repeat(40)}\n` });
  git(source, "tag", "--annotate", "--message", "t", "v1");
  await openCheckout({ dataDir, repoId: 1, source, env, runId: 1, baseBranch: null });
  const inCheckout = (...args: string[]) => git(checkout.path, ...args);
  assert.deepEqual([inCheckout("rev-parse", "origin/main"), inCheckout("rev-parse", "main")], [theirs, theirs]);
  assert.equal(inCheckout("cat-file", "-t", theirs), "commit");
  const own = readdirSync(join(directory, "objects")).filter((name) => name !== "info" && name !== "pack");
  assert.deepEqual(own, [], "the agent's own objects are elsewhere");
  inCheckout("fsck", "--connectivity-only");
});

test("a base branch that the agent has checked out, or committed to, is not moved", async (t) => {
  const { dataDir, source, checkout, first, inCheckout } = await begun(t);
  const open = () => openCheckout({ dataDir, repoId: 1, source, env, runId: 1, baseBranch: null });
  inCheckout("checkout", "--quiet", "main");
  await open();
  assert.deepEqual([inCheckout("rev-parse", "main"), inCheckout("status", "--porcelain")], [first, ""]);
  inCheckout("commit", "--quiet", "--allow-empty", "--message", "own");
  const own = inCheckout("rev-parse", "main");
  inCheckout("checkout", "--quiet", checkout.branch);
  inCheckout("update-ref", "-d", "refs/remotes/origin/main");
  await open();
  assert.deepEqual([inCheckout("rev-parse", "main"), inCheckout("branch", "-r")], [own, "origin/main"]);
});
