// Tier: rest
import assert from "node:assert/strict";
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createCheckout } from "./checkout.ts";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { commitAll, git, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;

test("the work of a turn becomes a commit of the run's branch and a diff from its base", async (t) => {
  const old = "a\nb\nc\nd\ne\nf\ng\n";
  const checkout = await checkoutOf(t, {
    "a.txt": "one\ntwo\n",
    "old.txt": old,
    "gone.txt": "x\n",
    ".gitignore": "*.log\n",
  });
  writeFiles(checkout.path, {
    "a.txt": "one\n2\n",
    "new\nline 🧭.txt": "n\n",
    "noise.log": "x",
    "excluded.tmp": "x",
    "b.bin": new Uint8Array([0, 1, 2]),
    "latin.txt": new Uint8Array([0xe4, 0x0a]),
  });
  writeFiles(checkout.path, { ".git/info/exclude": "*.tmp\n" });
  renameSync(join(checkout.path, "old.txt"), join(checkout.path, "renamed.txt"));
  rmSync(join(checkout.path, "gone.txt"));

  const kept = await keep(checkout);
  assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1"), kept.commit);
  assert.equal(
    git(checkout.mirror, "log", "-1", "--format=%an %ae|%P|%B", "errand/run-1"),
    `Errand errand@localhost|${checkout.baseCommit}|Say hello\n\nAnd more`,
  );
  assert.deepEqual([kept.filesChanged, kept.insertions, kept.deletions, kept.truncated], [6, 3, 2, false]);
  assert.match(kept.diff, /^diff --git a\/a\.txt b\/a\.txt\n/);
  assert.match(kept.diff, /\n-two\n\+2\n/);
  assert.match(kept.diff, /\nrename from old\.txt\nrename to renamed\.txt\n/);
  assert.match(kept.diff, /\nGIT binary patch\nliteral 3\n/);
  assert.ok(kept.diff.includes(Buffer.from('"b/new\\nline 🧭.txt"').toString("latin1")));
  assert.match(kept.diff, /\n\+\xe4\n/);
  assert.doesNotMatch(kept.diff, /noise|excluded/);
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  assert.equal(git(checkout.path, "rev-parse", "HEAD"), kept.commit);
  assert.equal(git(checkout.mirror, "fsck", "--full", "--no-dangling"), "");

  assert.deepEqual(await keep(checkout), kept);
  writeFiles(checkout.path, { "a.txt": "one\ntwo\n" });
  const second = await keep(checkout);
  assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), kept.commit);
  assert.equal(second.filesChanged, 5);
});

test("commits of the agent are kept, on the run's branch, on another, or on none", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "1.txt": "1\n" });
  const own = commitAll(checkout.path, "by the agent");
  assert.equal((await keep(checkout)).commit, own);

  git(checkout.path, "checkout", "--quiet", "-b", "topic");
  writeFiles(checkout.path, { "2.txt": "2\n" });
  const topic = commitAll(checkout.path, "on a topic");
  git(checkout.path, "pack-refs", "--all");
  writeFiles(checkout.path, { "3.txt": "3\n" });
  const kept = await keep(checkout);
  assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), topic);
  assert.equal(git(checkout.path, "symbolic-ref", "--short", "HEAD"), "errand/run-1");
  assert.equal(git(checkout.path, "rev-parse", "topic", "HEAD"), `${topic}\n${kept.commit}`);

  git(checkout.path, "checkout", "--quiet", "--detach", String(checkout.baseCommit));
  git(checkout.path, "commit", "--quiet", "--amend", "-m", "history rewritten");
  const rewritten = git(checkout.path, "rev-parse", "HEAD");
  assert.deepEqual(
    [(await keep(checkout)).commit, git(checkout.mirror, "rev-parse", "errand/run-1")],
    [rewritten, rewritten],
  );
});

test("commits on a history that was fetched in part are flattened onto the last kept commit, at each turn", async (t) => {
  const ways: [string, (path: string) => void][] = [
    ["--depth=1", (path) => git(path, "reset", "--quiet", "--hard", "FETCH_HEAD")],
    ["--depth=1", (path) => git(path, "rebase", "--quiet", "--onto", "FETCH_HEAD", "HEAD~1")],
    ["--depth=1", (path) => git(path, "merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "FETCH_HEAD")],
    ["--filter=blob:none", (path) => git(path, "reset", "--quiet", "--soft", "FETCH_HEAD")],
  ];
  for (const [how, take] of ways) {
    const checkout = await checkoutOf(t);
    writeFiles(checkout.path, { "own.txt": "own\n" });
    commitAll(checkout.path, "by the agent");
    const { commit: first, flattened } = await keep(checkout);
    assert.equal(flattened, false);
    const source = join(checkout.mirror, "../../../source");
    git(source, "config", "uploadpack.allowFilter", "true");
    for (const name of ["b.txt", "c.txt"]) {
      writeFiles(source, { [name]: "new\n" });
      commitAll(source, name);
    }
    git(checkout.path, "fetch", "--quiet", how, `file://${source}`, "main");
    take(checkout.path);
    writeFiles(checkout.path, { "more.txt": "more\n" });
    commitAll(checkout.path, "on top");
    const kept = await keep(checkout);
    assert.equal(kept.flattened, true, how);
    assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), first);
    assert.equal(git(checkout.mirror, "show", "errand/run-1:more.txt"), "more");
    assert.equal(git(checkout.path, "status", "--porcelain"), "");
    writeFiles(checkout.path, { "more.txt": "even more\n" });
    const next = await keep(checkout);
    assert.equal(next.flattened, false);
    assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), kept.commit);
    assert.equal(git(checkout.mirror, "fsck", "--full", "--no-dangling"), "");
  }
});

test("a run without a base is compared with the empty tree", async (t) => {
  const dataDir = temporaryFolder(t);
  const checkout = await createCheckout({ dataDir, runId: 1, repoId: null, source: null, baseBranch: null, env });
  const nothing = await keep(checkout);
  assert.deepEqual([nothing.commit, nothing.diff, nothing.filesChanged], [null, "", 0]);
  writeFiles(checkout.path, { "hello.txt": "hello\n" });
  const kept = await keep(checkout);
  assert.deepEqual([kept.filesChanged, kept.insertions], [1, 1]);
  assert.match(kept.diff, /new file mode 100644[\s\S]*\+hello\n$/);
  assert.equal(git(checkout.mirror, "rev-list", "--count", "errand/run-1"), "1");
  assert.equal((await keep(checkout)).commit, kept.commit);
});

test("a diff that is too long ends after a complete file, and its counts stay true", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "b1.txt": "x\n".repeat(100), "b2.txt": "diff --git \n".repeat(100), "b3.txt": "z\n" });
  const kept = await keep(checkout, 1000);
  assert.deepEqual([kept.truncated, kept.filesChanged, kept.insertions], [true, 3, 201]);
  assert.match(kept.diff, /^diff --git a\/b1\.txt b\/b1\.txt\n[\s\S]*\n\+x\n$/);
  assert.equal(kept.diff.match(/^diff --git/gm)?.length, 1);
  assert.deepEqual([(await keep(checkout, 50)).diff, (await keep(checkout, 50)).truncated], ["", true]);
});

test("an unfinished merge ends with the turn", async (t) => {
  const checkout = await checkoutOf(t);
  git(checkout.path, "checkout", "--quiet", "-b", "side");
  writeFiles(checkout.path, { "a.txt": "side\n" });
  commitAll(checkout.path, "side");
  git(checkout.path, "checkout", "--quiet", "errand/run-1");
  writeFiles(checkout.path, { "a.txt": "mine\n" });
  commitAll(checkout.path, "mine");
  assert.throws(() => git(checkout.path, "merge", "side"));
  const kept = await keep(checkout);
  assert.match(kept.diff, /\+<<<<<<< HEAD\n/);
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  assert.equal(existsSync(join(checkout.path, ".git/MERGE_HEAD")), false);
});

test("a checkout that is gone, or was replaced by a link, is not committed", async (t) => {
  const checkout = await checkoutOf(t);
  const isMissing = (error: unknown) => {
    assert.ok(error instanceof WorkspaceError);
    assert.deepEqual([error.code, error.message], ["checkout_missing", "The checkout of run 1 is gone."]);
    return true;
  };
  rmSync(checkout.path, { recursive: true });
  await assert.rejects(keep(checkout), isMissing);
  symlinkSync(join(checkout.path, "../../source"), checkout.path);
  await assert.rejects(keep(checkout), isMissing);
  assert.deepEqual(readdirSync(join(checkout.path, "..")), ["1"]);
});

test("files that git refuses or that are too large are left out and named, and everything else is kept", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", "grown.bin": "small" });
  writeFiles(checkout.path, {
    "a.txt": "two\n",
    "new.txt": "new\n",
    ".GIT/config": "[core]\n",
    "deep/git~1/hooks": "x\n",
    "sparse ü.bin": "",
  });
  truncateSync(join(checkout.path, "sparse ü.bin"), 3 * 1024 ** 3);
  truncateSync(join(checkout.path, "grown.bin"), 101 * 1024 ** 2);
  const kept = await keep(checkout);
  assert.deepEqual(
    kept.leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    [
      { path: ".GIT/config", why: "refused", bytes: null },
      { path: "deep/git~1/hooks", why: "refused", bytes: null },
      { path: "grown.bin", why: "too_large", bytes: 101 * 1024 ** 2 },
      { path: "sparse ü.bin", why: "too_large", bytes: 3 * 1024 ** 3 },
    ],
  );
  assert.equal(git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1"), "a.txt\ngrown.bin\nnew.txt");
  assert.match(kept.diff, /\n-one\n\+two\n/);
  assert.doesNotMatch(kept.diff, /grown|sparse|GIT\//);
  assert.deepEqual((await keep(checkout)).leftOut, kept.leftOut);

  for (const path of [".GIT", "deep", "sparse ü.bin", "grown.bin"])
    rmSync(join(checkout.path, path), { recursive: true });
  const after = await keep(checkout);
  assert.deepEqual(after.leftOut, []);
  assert.equal(git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1"), "a.txt\nnew.txt");
});

test("files without the encoding that .gitattributes demands are left out, and everything else is kept", async (t) => {
  const checkout = await checkoutOf(t, {
    ".gitattributes": "*.rc working-tree-encoding=UTF-16\n*.le working-tree-encoding=UTF-16LE\n",
  });
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  writeFiles(checkout.path, {
    "new.txt": "new\n",
    "sub/it's ü.rc": "utf-8\n",
    "good.rc": utf16("\ufeffgood\n"),
    "odd.rc": new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x41]),
    "bom.le": utf16("\ufeffbom\n"),
  });
  const kept = await keep(checkout);
  const refused = ["bom.le", "odd.rc", "sub/it's ü.rc"].map((path) => ({ path, why: "refused", bytes: null }));
  assert.deepEqual(kept.leftOut, refused);
  assert.equal(
    git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1"),
    ".gitattributes\ngood.rc\nnew.txt",
  );
  assert.equal(git(checkout.mirror, "show", "errand/run-1:good.rc"), "good");
  writeFiles(checkout.path, { "good.rc": "no longer\n", "new.txt": "newer\n" });
  const next = await keep(checkout);
  assert.equal(next.leftOut.length, 4);
  assert.equal(git(checkout.mirror, "show", "errand/run-1:good.rc", "errand/run-1:new.txt"), "good\nnewer");
});

test("work is kept without files of a wrong encoding that are too many, or that git cannot name", async (t) => {
  const checkout = await checkoutOf(t, { ".gitattributes": "*.rc working-tree-encoding=UTF-16\n" });
  const odd = Buffer.concat([Buffer.from(`${checkout.path}/`), Buffer.from("b\xfcro.rc", "latin1")]);
  const utf16 = Buffer.from("\ufeffgood\n", "utf16le");
  writeFiles(checkout.path, { "gone.rc": utf16, "folder.rc": utf16 });
  await keep(checkout);
  writeFileSync(odd, "utf-8\n");
  for (const path of ["gone.rc", "folder.rc"]) rmSync(join(checkout.path, path));
  writeFiles(checkout.path, { "new.txt": "new\n", "folder.rc/in.txt": "in\n" });
  assert.deepEqual((await keep(checkout)).leftOut, [{ path: "b\ufffdro.rc", why: "unchecked", bytes: null }]);
  assert.equal(
    git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1"),
    ".gitattributes\nfolder.rc/in.txt\nnew.txt",
  );
  rmSync(odd);
  for (let at = 0; at <= 100; at += 1) writeFiles(checkout.path, { [`${at}.rc`]: "utf-8\n", "new.txt": "newer\n" });
  const { leftOut } = await keep(checkout);
  assert.deepEqual([leftOut.length, new Set(leftOut.map(({ why }) => why))], [101, new Set(["unchecked"])]);
  assert.equal(git(checkout.mirror, "show", "errand/run-1:new.txt"), "newer");
});

test("work is kept without files for which .gitattributes demands an encoding, but names none", async (t) => {
  const checkout = await checkoutOf(t, { "kept.txt": "kept\n", "old.txt": "old\n", "same.txt": "old\n" });
  writeFiles(checkout.path, {
    ".gitattributes": "*.txt text working-tree-encoding\n*.md working-tree-encoding=\n",
    "new.txt": "new\n",
    "old.txt": "longer\n",
    "same.txt": "new\n",
    "new.md": "new\n",
  });
  utimesSync(join(checkout.path, "same.txt"), 0, 0);
  const unchecked = (...paths: string[]) => paths.map((path) => ({ path, why: "unchecked", bytes: null }));
  assert.deepEqual((await keep(checkout)).leftOut, unchecked("new.txt", "old.txt", "same.txt"));
  const branch = () => git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1");
  assert.equal(branch(), ".gitattributes\nkept.txt\nnew.md\nold.txt\nsame.txt");
  assert.equal(git(checkout.mirror, "show", "errand/run-1:old.txt"), "old");
  rmSync(join(checkout.path, "kept.txt"));
  writeFiles(checkout.path, { "new.md": "newer\n" });
  assert.deepEqual((await keep(checkout)).leftOut, unchecked("new.txt", "old.txt", "same.txt"));
  assert.equal(branch(), ".gitattributes\nnew.md\nold.txt\nsame.txt");
});
