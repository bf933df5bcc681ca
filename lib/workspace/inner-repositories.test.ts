// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { commitAll, git, makeRepository, temporaryFolder, writeFiles } from "./test-repository.ts";

/** The files of the run's branch. */
const filesOf = (mirror: string) =>
  git(mirror, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "errand/run-1").split("\n");

const toldOf = ({ leftOut }: { leftOut: { path: string; why: string }[] }) =>
  leftOut.map(({ path, why }) => `${path} ${why}`);

test("the files of a small repository that was made in the run are committed, without its .git", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", ".gitignore": "*.log\n" });
  const app = join(checkout.path, "app ü");
  mkdirSync(app);
  git(app, "init", "--quiet");
  writeFiles(app, {
    "index.js": "code\n",
    "node_modules/x/index.js": "x\n",
    "x.log": "x\n",
    ".gitignore": "node_modules\n",
  });
  makeRepository(join(app, "lib"), { "deep.js": "deep\n" });
  mkdirSync(join(checkout.path, "empty"));
  git(join(checkout.path, "empty"), "init", "--quiet");
  const kept = await keep(checkout);
  assert.deepEqual(filesOf(checkout.mirror), [
    ".gitignore",
    "a.txt",
    "app ü/.gitignore",
    "app ü/index.js",
    "app ü/lib/deep.js",
  ]);
  assert.deepEqual(toldOf(kept), ["app ü/lib/ history"]);
  assert.ok(existsSync(join(app, ".git/HEAD")), "it stays a repository");

  commitAll(app, "its own commit");
  writeFiles(app, { "index.js": "changed\n", "new.js": "new\n" });
  const next = await keep(checkout);
  assert.match(next.diff, /\+changed[\s\S]*\+new/);
  assert.deepEqual(toldOf(next).sort(), ["app ü/ history", "app ü/lib/ history"], "its commits are still only here");
  assert.deepEqual(git(checkout.path, "status", "--porcelain"), "?? empty/");
});

test("a repository that the agent committed as a link is committed as files, and its history is named", async (t) => {
  const checkout = await checkoutOf(t);
  makeRepository(join(checkout.path, "sub"), { "t.txt": "inner\n" });
  git(checkout.path, "add", "sub");
  git(checkout.path, "commit", "--quiet", "-m", "link");
  writeFiles(checkout.path, { "sub/more.txt": "more\n" });
  const kept = await keep(checkout);
  assert.deepEqual(filesOf(checkout.mirror), ["a.txt", "sub/more.txt", "sub/t.txt"]);
  assert.deepEqual(toldOf(kept), ["sub/ history"]);
});

test("repositories inside with a remote, many or large files, or a .git elsewhere are named and not committed", async (t) => {
  const checkout = await checkoutOf(t);
  const make = (name: string, files: Record<string, string>) => makeRepository(join(checkout.path, name), files);
  make("cloned", { "c.txt": "c\n" });
  git(join(checkout.path, "cloned"), "remote", "add", "origin", "https://localhost/x.git");
  make("included", { "c.txt": "c\n" });
  git(join(checkout.path, "included"), "config", "include.path", "more");
  make("many", Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`${at}.txt`, ""])));
  make("large", { "l.bin": "" });
  truncateSync(join(checkout.path, "large/l.bin"), 20 * 1024 ** 2 + 1);
  writeFiles(checkout.path, { "kept.txt": "kept\n", "away/x.txt": "x\n" });
  git(join(checkout.path, "away"), "init", "--quiet", "--separate-git-dir", join(checkout.path, "../away.git"));
  const kept = await keep(checkout);
  assert.deepEqual(toldOf(kept).sort(), [
    ...["away/ elsewhere", "cloned/ remote", "included/ remote", "large/ large", "many/ large"],
  ]);
  assert.deepEqual(filesOf(checkout.mirror), ["a.txt", "kept.txt"]);
  assert.deepEqual(toldOf(await keep(checkout)).length, 5, "the next turn says it again");
});

test("a worktree of the agent's own is not committed as files, whatever path its .git names", async (t) => {
  const checkout = await checkoutOf(t);
  git(checkout.path, "worktree", "add", "--quiet", "wt");
  writeFiles(checkout.path, { "wt/work.txt": "work\n", "b.txt": "b\n" });
  // Behind the wall the checkout has another path, which does not exist here.
  writeFileSync(join(checkout.path, "wt/.git"), "gitdir: /workspace/.git/worktrees/wt\n");
  assert.deepEqual(toldOf(await keep(checkout)), ["wt/ worktree"]);
  assert.deepEqual(filesOf(checkout.mirror), ["a.txt", "b.txt"]);
});

test("a repository without settings is no copy of another one, unless it has branches of one", async (t) => {
  const checkout = await checkoutOf(t);
  for (const name of ["own", "copy"]) {
    makeRepository(join(checkout.path, name), { "x.txt": "x\n" });
    rmSync(join(checkout.path, name, ".git/config"));
  }
  git(join(checkout.path, "copy"), "update-ref", "refs/remotes/origin/main", "HEAD");
  assert.deepEqual(toldOf(await keep(checkout)), ["copy/ remote", "own/ history"]);
  assert.deepEqual(filesOf(checkout.mirror), ["a.txt", "own/x.txt"]);
});

test("a worktree inside whose files are all in its commit is not told", async (t) => {
  const checkout = await checkoutOf(t);
  git(checkout.path, "worktree", "add", "--quiet", "wt");
  assert.deepEqual(toldOf(await keep(checkout)), []);
  assert.deepEqual(filesOf(checkout.mirror), ["a.txt"]);
});

test("a link to a commit of a repository that .gitmodules does not name is told", async (t) => {
  const checkout = await checkoutOf(t);
  git(checkout.path, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},lib`);
  mkdirSync(join(checkout.path, "lib"));
  assert.deepEqual(toldOf(await keep(checkout)), ["lib/ link"]);
});

test("what changes in a submodule is told, and its link stays as the agent has it", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(join(folder, "library"), { "l.txt": "l\n" });
  const checkout = await checkoutOf(t);
  git(checkout.path, "submodule", "--quiet", "add", join(folder, "library"), "vendor/x");
  assert.deepEqual(toldOf(await keep(checkout)), []);
  const link = () => git(checkout.mirror, "rev-parse", "errand/run-1:vendor/x");
  const first = link();

  writeFiles(checkout.path, { "vendor/x/l.txt": "changed\n" });
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"], "changed files");
  const made = commitAll(join(checkout.path, "vendor/x"), "in the submodule");
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"], "another commit");
  assert.equal(link(), first);
  git(checkout.path, "add", "vendor/x");
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"], "a commit that nobody else has");
  assert.equal(link(), made);
  writeFileSync(join(checkout.path, ".git/modules/vendor/x/packed-refs"), "no references\n");
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"], "git would end at such references");
});

test("nothing that repositories inside say is executed, whether they are committed or named", async (t) => {
  const checkout = await checkoutOf(t);
  const mark = join(checkout.path, "../ran");
  const bad = join(checkout.path, "../bad.sh");
  writeFileSync(bad, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
  for (const name of ["taken", "cloned"]) {
    const inner = join(checkout.path, name);
    makeRepository(inner, { "x.txt": "x\n" });
    for (const key of ["core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.external"]) {
      git(inner, "config", key, `'${bad}'`);
    }
    writeFiles(inner, { ".gitattributes": "* filter=evil diff=evil\n", "x.txt": "changed\n" });
    writeFiles(inner, { ".git/hooks/post-index-change": `#!/bin/sh\ntouch '${mark}'\n` });
    chmodSync(join(inner, ".git/hooks/post-index-change"), 0o755);
  }
  git(join(checkout.path, "cloned"), "remote", "add", "origin", "https://localhost/x.git");
  git(join(checkout.path, "taken"), "add", "--all");
  assert.ok(existsSync(mark), "the settings are hostile enough");
  rmSync(mark);
  const kept = await keep(checkout);
  assert.deepEqual(toldOf(kept).sort(), ["cloned/ remote", "taken/ history"]);
  assert.equal(existsSync(mark), false);
  assert.equal(readFileSync(join(checkout.path, "taken/x.txt"), "utf8"), "changed\n");
});

test("what a link in the index leads to is not opened: pipes, broken and huge files of its repository keep nobody waiting", async (t) => {
  for (const [name, command] of Object.entries({
    "a pipe behind a .git file":
      "mv sub/.git fake && echo 'gitdir: ../fake' > sub/.git && rm -f fake/packed-refs && mkfifo fake/packed-refs",
    "a pipe in place of settings":
      "mv sub/.git fake && echo 'gitdir: ../fake' > sub/.git && rm fake/config && mkfifo fake/config",
    "broken settings": "printf '[broken' > sub/.git/config",
    "broken references": "printf x > sub/.git/packed-refs",
    "a huge HEAD": "truncate -s 3G sub/.git/HEAD",
    "huge references": "truncate -s 3G sub/.git/packed-refs",
  })) {
    const checkout = await checkoutOf(t);
    makeRepository(join(checkout.path, "sub"), { "t.txt": "inner\n" });
    git(checkout.path, "add", "sub");
    execFileSync("sh", ["-c", command], { cwd: checkout.path });
    writeFiles(checkout.path, { "kept.txt": "kept\n" });
    const kept = await keep(checkout);
    assert.ok(filesOf(checkout.mirror).includes("kept.txt"), name);
    assert.match(toldOf(kept).join(), /^sub\/ (?:history|elsewhere)$/, name);
  }
});

test("worktrees of other repositories, ignored ones, orphans and merges in a submodule are told", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", ".gitignore": ".worktrees/\nbare.git\n" });
  const run = (...args: string[]) => git(checkout.path, ...args);
  run("clone", "--quiet", "--bare", ".", "bare.git");
  git(join(checkout.path, "bare.git"), "worktree", "add", "--quiet", "../wt", "-b", "w");
  writeFiles(checkout.path, { "wt/work.txt": "work\n" });
  run("worktree", "add", "--quiet", "-b", "side", ".worktrees/side");
  writeFiles(checkout.path, { ".worktrees/side/work.txt": "work\n" });
  makeRepository(join(checkout.path, "orphan"), { "t.txt": "inner\n" });
  git(join(checkout.path, "orphan"), "switch", "--quiet", "--orphan", "new");
  assert.deepEqual(toldOf(await keep(checkout)).sort(), [
    ".worktrees/side/ worktree",
    "orphan/ history",
    "wt/ elsewhere",
  ]);
});

test("a merge and a stash in a submodule are told", async (t) => {
  const checkout = await checkoutOf(t);
  const library = join(checkout.path, "../../library");
  makeRepository(library, { "x.js": "x\n" });
  git(checkout.path, "submodule", "--quiet", "add", library, "vendor/x");
  const inside = join(checkout.path, "vendor/x");
  assert.deepEqual(toldOf(await keep(checkout)), []);
  writeFiles(inside, { "x.js": "stashed\n" });
  git(inside, "stash", "--quiet");
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"]);
  git(inside, "stash", "drop", "--quiet");
  assert.deepEqual(toldOf(await keep(checkout)), []);
  git(inside, "switch", "--quiet", "-c", "side");
  writeFiles(inside, { "y.js": "y\n" });
  commitAll(inside, "side");
  git(inside, "switch", "--quiet", "-");
  git(inside, "merge", "--quiet", "--no-ff", "-m", "m", "side");
  git(checkout.path, "add", "vendor/x");
  assert.deepEqual(toldOf(await keep(checkout)), ["vendor/x/ submodule"]);
});

test("folders in place of files of .git, and of the same name as what is told, change nothing", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "b.txt": "b\n" });
  for (const name of ["HEAD", "index"]) {
    rmSync(join(checkout.path, ".git", name));
    mkdirSync(join(checkout.path, ".git", name, "in"), { recursive: true });
  }
  const kept = await keep(checkout);
  assert.ok(filesOf(checkout.mirror).includes("b.txt"));
  assert.deepEqual(toldOf(kept), []);
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  git(checkout.path, "switch", "--quiet", "-c", "data");
  writeFiles(checkout.path, { "on-branch.txt": "x\n" });
  commitAll(checkout.path, "other");
  git(checkout.path, "switch", "--quiet", "errand/run-1");
  truncateSync(join(checkout.path, "a.txt"), 0);
  writeFileSync(join(checkout.path, "data"), "");
  truncateSync(join(checkout.path, "data"), 101 * 1024 * 1024);
  writeFileSync(join(checkout.path, ".gitmodules"), "\n".repeat(2 * 1024 * 1024));
  assert.deepEqual(toldOf(await keep(checkout)).sort(), [
    ".gitmodules.too-large rules",
    "data branch",
    "data too_large",
  ]);
});
