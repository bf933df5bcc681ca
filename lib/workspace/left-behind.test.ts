// Tier: rest
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Checkout } from "./checkout.ts";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { commitAll, git, makeRepository, writeFiles } from "./test-repository.ts";

const toldOf = async (checkout: Checkout) => (await keep(checkout)).leftOut.map(({ path, why }) => `${path} ${why}`);

test("commits on other branches, in the stash, in worktrees and on no branch are told, those of the source are not", async (t) => {
  const checkout = await checkoutOf(t);
  const run = (...args: string[]) => git(checkout.path, ...args);
  const commitOn = (name: string) => {
    writeFiles(checkout.path, { [`${name}.txt`]: name });
    return commitAll(checkout.path, name);
  };
  run("branch", "same");
  run("switch", "--quiet", "-c", "feature/other");
  commitOn("o");
  run("switch", "--quiet", "--detach", "main");
  const detached = commitOn("d");
  run("switch", "--quiet", "errand/run-1");
  writeFiles(checkout.path, { "a.txt": "stashed\n" });
  run("stash", "--quiet");
  run("worktree", "add", "--quiet", "--detach", join(checkout.path, "../wt"));
  run("worktree", "add", "--quiet", "--detach", join(checkout.path, "../same"));
  run("worktree", "add", "--quiet", "--detach", join(checkout.path, "../committed"));
  writeFiles(join(checkout.path, "../wt"), { "w.txt": "w" });
  writeFiles(join(checkout.path, "../committed"), { "w.txt": "w" });
  commitAll(join(checkout.path, "../committed"), "w");
  commitOn("kept");
  const others = ["committed worktree", "feature/other branch", "stash stash", "wt worktree"];
  assert.deepEqual((await toldOf(checkout)).sort(), [`${detached.slice(0, 10)} detached`, ...others].sort());
  run("pack-refs", "--all");
  run("merge", "--quiet", "-m", "m", "feature/other");
  run("stash", "drop", "--quiet");
  for (const name of ["wt", "committed"]) run("worktree", "remove", "--force", join(checkout.path, "..", name));
  assert.deepEqual(await toldOf(checkout), [`${detached.slice(0, 10)} detached`]);
});

test("commits under other references are told, and those whose changes the branch has in other commits are not", async (t) => {
  const checkout = await checkoutOf(t);
  const run = (...args: string[]) => git(checkout.path, ...args);
  const commitOn = (name: string) => {
    run("switch", "--quiet", "--detach", "main");
    writeFiles(checkout.path, { [`${name}.txt`]: name });
    return commitAll(checkout.path, name);
  };
  run("update-ref", "refs/mine/deep/x", commitOn("mine"));
  commitOn("tagged");
  run("tag", "-a", "-m", "t", "v1");
  run("tag", "merged", commitOn("squashed"));
  run("switch", "--quiet", "-c", "topic", "main");
  for (const name of ["one", "two"]) {
    writeFiles(checkout.path, { [`${name}.txt`]: name });
    commitAll(checkout.path, name);
  }
  run("switch", "--quiet", checkout.branch);
  run("merge", "--quiet", "--squash", "topic");
  run("cherry-pick", "--no-commit", "merged");
  commitAll(checkout.path, "all of them");
  writeFiles(checkout.path, { "one.txt": "more" });
  assert.deepEqual(await toldOf(checkout), ["refs/tags/v1 ref", "refs/mine/deep/x ref"]);
});

test("commits of the run's own branch that the agent left for another one are named by their last commit", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "b.txt": "b\n" });
  const left = commitAll(checkout.path, "b");
  git(checkout.path, "switch", "--quiet", "main");
  writeFiles(checkout.path, { "c.txt": "c\n" });
  assert.deepEqual(await toldOf(checkout), [`errand/run-1 at ${left.slice(0, 10)} branch`]);
  assert.equal(git(checkout.path, "show", `${left.slice(0, 10)}:b.txt`), "b");
});

test("ordinary work with git is not told: amended, rebased and merged commits, tags, a stash that was applied", async (t) => {
  const checkout = await checkoutOf(t);
  const run = (...args: string[]) => git(checkout.path, ...args);
  writeFiles(checkout.path, { "b.txt": "b\n" });
  commitAll(checkout.path, "b");
  run("commit", "--quiet", "--amend", "-m", "better");
  run("tag", "v1");
  run("switch", "--quiet", "-c", "topic", "main");
  writeFiles(checkout.path, { "c.txt": "c\n" });
  commitAll(checkout.path, "c");
  run("rebase", "--quiet", "errand/run-1");
  writeFiles(checkout.path, { "a.txt": "stashed\n" });
  run("stash", "--quiet");
  run("stash", "pop", "--quiet");
  run("checkout", "--quiet", "HEAD~1");
  run("checkout", "--quiet", "topic");
  assert.deepEqual(await toldOf(checkout), []);
});

test("a merge or rebase that was not finished is told, with its files in conflict", async (t) => {
  const conflict = async () => {
    const checkout = await checkoutOf(t);
    git(checkout.path, "switch", "--quiet", "-c", "side");
    writeFiles(checkout.path, { "a.txt": "side\n" });
    commitAll(checkout.path, "side");
    git(checkout.path, "switch", "--quiet", "errand/run-1");
    writeFiles(checkout.path, { "a.txt": "mine\n" });
    commitAll(checkout.path, "mine");
    return checkout;
  };
  for (const how of ["merge", "cherry-pick"]) {
    const checkout = await conflict();
    assert.throws(() => git(checkout.path, how, "side"));
    assert.deepEqual(await toldOf(checkout), ["a.txt conflict", "side branch", `git ${how} unfinished`], how);
    assert.deepEqual(await toldOf(checkout), ["side branch"], "it has ended");
  }
  const checkout = await conflict();
  const mine = git(checkout.path, "rev-parse", "HEAD").slice(0, 10);
  assert.throws(() => git(checkout.path, "rebase", "side"));
  assert.deepEqual(await toldOf(checkout), [
    "a.txt conflict",
    `errand/run-1 at ${mine} branch`,
    "git rebase unfinished",
  ]);
});

test("a search, picks that were not taken and changes put aside for a rebase are told, and the next turn begins without them", async (t) => {
  const started = async () => {
    const checkout = await checkoutOf(t, { "a.txt": "one\n", "b.txt": "b\n" });
    for (const text of ["two", "three", "four"]) {
      writeFiles(checkout.path, { "a.txt": text });
      commitAll(checkout.path, text);
    }
    return { checkout, run: (...args: string[]) => git(checkout.path, ...args) };
  };
  const search = await started();
  const newest = search.run("rev-parse", "--short=10", "HEAD");
  search.run("bisect", "start", "HEAD", "HEAD~3");
  assert.deepEqual(await toldOf(search.checkout), [`errand/run-1 at ${newest} branch`, "git bisect unfinished"]);
  assert.doesNotMatch(search.run("status"), /bisect/i);
  assert.deepEqual(await toldOf(search.checkout), []);

  const picks = await started();
  assert.throws(() => picks.run("revert", "--no-edit", "HEAD~1", "HEAD~2"));
  commitAll(picks.checkout.path, "solved");
  assert.deepEqual(await toldOf(picks.checkout), ["git revert unfinished"]);

  const { checkout, run } = await started();
  run("switch", "--quiet", "-c", "side", "main");
  writeFiles(checkout.path, { "a.txt": "side" });
  commitAll(checkout.path, "side");
  writeFiles(checkout.path, { "b.txt": "put aside\n" });
  assert.throws(() => run("rebase", "--autostash", "errand/run-1"));
  const [aside = ""] = (await toldOf(checkout)).filter((words) => words.endsWith(" stash"));
  assert.equal(run("show", `${/^autostash at (.{10}) stash$/.exec(aside)?.[1]}:b.txt`), "put aside");
});

test("changes that git was told to ignore are told, a sparse checkout is not", async (t) => {
  const checkout = await checkoutOf(t, {
    "a.txt": "one\n",
    "b.txt": "two\n",
    "c ü.txt": "x\n",
    "same.txt": "s\n",
    gone: "g\n",
  });
  const flag = (how: string, path: string) => git(checkout.path, "update-index", how, path);
  flag("--skip-worktree", "a.txt");
  flag("--assume-unchanged", "c ü.txt");
  flag("--skip-worktree", "b.txt");
  flag("--assume-unchanged", "same.txt");
  flag("--assume-unchanged", "gone");
  for (const name of ["b.txt", "gone"]) rmSync(join(checkout.path, name));
  writeFiles(checkout.path, { "a.txt": "hidden\n", "c ü.txt": "hidden\n" });
  assert.deepEqual(await toldOf(checkout), ["gone hidden", "a.txt hidden", "c ü.txt hidden"]);
});

test("ignored files are told if a turn committed nothing and nobody meant to ignore them", async (t) => {
  const ignore = "node_modules\ndeps/\n*.log\nnotes.md\n";
  const meant = await checkoutOf(t, { "a.txt": "one\n", ".gitignore": ignore });
  writeFiles(meant.path, { "node_modules/x/i.js": "x", "deps/a": "x", "x.log": "x", "notes.md": "x" });
  // As tools do for folders of their own.
  writeFiles(meant.path, { ".cache/.gitignore": "*\n", ".cache/x": "x" });
  assert.deepEqual(await toldOf(meant), []);

  const all = await checkoutOf(t);
  writeFiles(all.path, { ".gitignore": "*\n", f: "work\n", "docs/d.md": "work\n", ünï: "work\n" });
  assert.deepEqual(await toldOf(all), [".gitignore ignored", "docs/ ignored", "f ignored", "ünï ignored"]);
  assert.deepEqual(await toldOf(all), [], "only of this turn");
  writeFiles(all.path, { f: "more\n" });
  git(all.path, "rm", "--quiet", "a.txt");
  assert.deepEqual(await toldOf(all), [], "something was committed");
  const chosen = await checkoutOf(t, { "a.txt": "one\n", ".gitignore": "*\n!a.txt\n!.gitignore\n" });
  writeFiles(chosen.path, { "new.ts": "work\n", "node_modules/x/i.js": "x" });
  assert.deepEqual(await toldOf(chosen), ["new.ts ignored"]);
});

test("files that only the checkout's own rules ignore are told in each turn, apart from what tools make", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", ".gitignore": "ign/\n*.cfg\n/out.json\n" });
  const meant = { "out.json": "{}", "my.cfg": "k", "ign/report.md": "1" };
  writeFiles(checkout.path, { ".git/info/exclude": "# mine\n", ...meant });
  assert.deepEqual(await toldOf(checkout), [], "the repository ignores them");
  const ofTools = [
    "node_modules/x/i.js",
    "dist/i.js",
    "coverage/i",
    "pkg/__pycache__/m.pyc",
    ".env",
    ".env.local",
    "x.log",
  ];
  const rules = "report.md\nown ü/\nnode_modules\ndist\ncoverage\n__pycache__\n.env*\n*.log\n*.pyc\n";
  writeFiles(checkout.path, {
    ".git/info/exclude": rules,
    ...Object.fromEntries(ofTools.map((path) => [path, "x"])),
    "report.md": "big work",
    "docs ü/deep/report.md": "more work",
    "own ü/w": "work",
    "ign/node_modules/report.md": "1",
  });
  const told = ["docs ü/deep/report.md ignored", "own ü/ ignored", "report.md ignored"];
  assert.deepEqual((await toldOf(checkout)).sort(), told);
  writeFiles(checkout.path, { "new.txt": "new" });
  assert.deepEqual((await toldOf(checkout)).sort(), told, "although something was committed");
  assert.deepEqual((await toldOf(checkout)).sort(), told, "and later");
  writeFiles(checkout.path, { ".git/info/exclude": "*\n", f: "work\n" });
  assert.deepEqual((await toldOf(checkout)).sort(), [
    ...["docs ü/ ignored", "f ignored", "own ü/ ignored", "pkg/ ignored", "report.md ignored"],
  ]);
});

test("in a folder of which git ignores each file, those that nobody meant to ignore are told", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { ".gitignore": "*.md\n.gitignore\n", "docs/d.md": "work\n", "docs/deep/x.md": "work\n" });
  const told = [".gitignore ignored", "docs/d.md ignored", "docs/deep/x.md ignored"];
  assert.deepEqual(await toldOf(checkout), told);
});

test("references that are no commits, or thousands of them, cost a turn nothing", async (t) => {
  const checkout = await checkoutOf(t);
  const blob = git(checkout.path, "hash-object", "-w", "a.txt");
  const lines = Array.from(
    { length: 5000 },
    (_, at) => `${"1".repeat(36)}${String(at).padStart(4, "0")} refs/heads/x${at}`,
  );
  writeFileSync(join(checkout.path, ".git/packed-refs"), `${lines.join("\n")}\n`);
  writeFileSync(join(checkout.path, ".git/refs/heads/odd"), `${blob}\n`);
  writeFileSync(join(checkout.path, ".git/refs/stash"), "ref: ../../../../etc/passwd\n");
  writeFiles(checkout.path, { "important.txt": "important\n" });
  assert.match((await keep(checkout)).diff, /\+important/);
  makeRepository(join(checkout.path, "inner"));
});
