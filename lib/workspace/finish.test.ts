import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Checkout, createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;

async function checkoutOf(t: TestContext, files?: Record<string, string | Uint8Array>): Promise<Checkout> {
  const dataDir = temporaryFolder(t);
  const source = join(dataDir, "source");
  makeRepository(source, files);
  return createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env });
}

async function keep(checkout: Checkout, diffBytesMax?: number) {
  const kept = await commitAndKeep({ checkout, message: "Say hello\n\nAnd more", env, diffBytesMax });
  return { ...kept, diff: Buffer.from(kept.diff).toString("latin1") };
}

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

test("a run without a base is compared with nothing", async (t) => {
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

test("a diff that is too long ends after a whole file, its figures stay true", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "b1.txt": "x\n".repeat(100), "b2.txt": "diff --git \n".repeat(100), "b3.txt": "z\n" });
  const kept = await keep(checkout, 1000);
  assert.deepEqual([kept.truncated, kept.filesChanged, kept.insertions], [true, 3, 201]);
  assert.match(kept.diff, /^diff --git a\/b1\.txt b\/b1\.txt\n[\s\S]*\n\+x\n$/);
  assert.equal(kept.diff.match(/^diff --git/gm)?.length, 1);
  assert.deepEqual([(await keep(checkout, 50)).diff, (await keep(checkout, 50)).truncated], ["", true]);
});

test("nothing the agent puts into its repository is executed", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", "sub/keep": "" });
  const mark = join(checkout.path, "..", "ran");
  const bad = join(checkout.path, "..", "bad.sh");
  writeFileSync(bad, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
  const evil = `'${bad}'`;
  const hostile: [string, string][] = [
    ["core.fsmonitor", bad],
    ["core.hooksPath", join(checkout.path, "hooks")],
    ["core.pager", evil],
    ["core.editor", evil],
    ["core.sshCommand", evil],
    ["core.gitProxy", evil],
    ["core.askPass", bad],
    ["core.alternateRefsCommand", evil],
    ["core.attributesFile", join(checkout.path, "attributes")],
    ["filter.evil.clean", evil],
    ["filter.evil.smudge", evil],
    ["filter.evil.process", evil],
    ["filter.evil.required", "true"],
    ["diff.external", evil],
    ["diff.evil.command", evil],
    ["diff.evil.textconv", evil],
    ["merge.evil.driver", evil],
    ["gpg.program", bad],
    ["commit.gpgSign", "true"],
    ["credential.helper", `!${evil}`],
    ["uploadpack.packObjectsHook", evil],
    ["trailer.evil.command", evil],
    ["extensions.worktreeConfig", "true"],
    ["gc.recentObjectsHook", evil],
  ];
  const nested = join(checkout.path, "sub/module");
  makeRepository(nested);
  git(checkout.path, "add", "--all");
  git(checkout.path, "commit", "--quiet", "-m", "with an embedded repository");
  for (const [key, value] of hostile) {
    git(checkout.path, "config", key, value);
    git(nested, "config", key, value);
  }
  const hooks = [
    "pre-commit",
    "post-commit",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "commit-msg",
  ];
  for (const hook of [...hooks, "pre-push", "post-checkout", "update", "post-receive", "pre-receive"]) {
    for (const folder of ["hooks", ".git/hooks", "sub/module/.git/hooks"]) {
      writeFiles(checkout.path, { [`${folder}/${hook}`]: `#!/bin/sh\ntouch '${mark}'\n` });
      chmodSync(join(checkout.path, folder, hook), 0o755);
    }
  }
  const attributes = "* filter=evil diff=evil merge=evil\n";
  for (const path of [".gitattributes", "attributes", ".git/info/attributes", "sub/module/.gitattributes"]) {
    writeFiles(checkout.path, { [path]: attributes });
  }
  writeFiles(checkout.path, { "a.txt": "changed\n", "sub/module/a.txt": "changed\n" });
  // `git status` runs a filter only where times and sizes tell nothing; `git add` has to.
  assert.throws(() => git(checkout.path, "add", "--all"), "the settings are not hostile enough");
  assert.equal(existsSync(mark), true);
  rmSync(mark);

  const kept = await keep(checkout);
  await keep(checkout);
  assert.equal(existsSync(mark), false);
  assert.match(kept.diff, /\n\+changed\n/);
  assert.equal(git(checkout.mirror, "show", "errand/run-1:a.txt"), "changed");
});

test("a broken or missing .git costs the agent's history, never its files", async (t) => {
  const breaks: [string, (checkout: Checkout) => void][] = [
    ["settings", ({ path }) => writeFileSync(join(path, ".git/config"), "[broken\n")],
    ["index", ({ path }) => writeFileSync(join(path, ".git/index"), "garbage")],
    ["no index", ({ path }) => rmSync(join(path, ".git/index"))],
    ["HEAD", ({ path }) => writeFileSync(join(path, ".git/HEAD"), "ref: ../../../etc/passwd\n")],
    ["missing commit", ({ path }) => writeFileSync(join(path, ".git/HEAD"), `${"1".repeat(40)}\n`)],
    ["orphan branch", ({ path }) => git(path, "checkout", "--quiet", "--orphan", "new")],
    ["gone", ({ path }) => rmSync(join(path, ".git"), { recursive: true })],
    [
      "a new one",
      ({ path }) => {
        rmSync(join(path, ".git"), { recursive: true });
        git(path, "init", "--quiet");
      },
    ],
    [
      "elsewhere",
      ({ path }) => {
        renameSync(join(path, ".git"), join(path, "..", "moved"));
        symlinkSync(join(path, "..", "moved"), join(path, ".git"));
      },
    ],
    [
      "a file",
      ({ path }) => {
        rmSync(join(path, ".git"), { recursive: true });
        writeFileSync(join(path, ".git"), "gitdir: /nowhere\n");
      },
    ],
    ["locked", ({ path }) => writeFileSync(join(path, ".git/index.lock"), "")],
    [
      "errand taken",
      ({ path }) => {
        git(path, "checkout", "--quiet", "--detach");
        git(path, "branch", "-D", "errand/run-1");
        rmSync(join(path, ".git/refs/heads/errand"), { recursive: true, force: true });
        git(path, "branch", "errand");
      },
    ],
    [
      "a pipe",
      ({ path }) => {
        rmSync(join(path, ".git/HEAD"));
        execFileSync("mkfifo", [join(path, ".git/HEAD")]);
      },
    ],
  ];
  for (const [name, damage] of breaks) {
    const checkout = await checkoutOf(t, { "a.txt": "one\n", "b.txt": "two\n" });
    writeFiles(checkout.path, { "a.txt": "changed\n", "new.txt": "n\n" });
    damage(checkout);
    const kept = await keep(checkout);
    assert.equal(kept.filesChanged, 2, name);
    assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), checkout.baseCommit, name);
    if (name === "settings") continue;
    assert.equal(git(checkout.path, "status", "--porcelain"), "", name);
    assert.equal(git(checkout.path, "rev-parse", "HEAD"), kept.commit, name);
  }
});

test("repositories the agent made inside are left out and named", async (t) => {
  const checkout = await checkoutOf(t);
  makeRepository(join(checkout.path, "vendor/lib ü"));
  mkdirSync(join(checkout.path, "empty"));
  git(join(checkout.path, "empty"), "init", "--quiet");
  writeFiles(checkout.path, { "vendor/x.txt": "x\n" });
  const kept = await keep(checkout);
  assert.deepEqual(kept.nestedRepositories, ["empty/", "vendor/lib ü/"]);
  assert.equal(kept.filesChanged, 1);
});

test("a merge that was left half done ends with the turn", async (t) => {
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
  const isMissing = (error: unknown) => error instanceof WorkspaceError && error.code === "checkout_missing";
  rmSync(checkout.path, { recursive: true });
  await assert.rejects(keep(checkout), isMissing);
  symlinkSync(join(checkout.path, "../../source"), checkout.path);
  await assert.rejects(keep(checkout), isMissing);
  assert.deepEqual(readdirSync(join(checkout.path, "..")), ["1"]);
});

test("a forged object never reaches the mirror", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "new.txt": "real\n" });
  commitAll(checkout.path, "real");
  const [forged, other] = ["new.txt", "a.txt"].map((name) => git(checkout.path, "rev-parse", `HEAD:${name}`));
  const place = (id = "") => join(checkout.path, ".git/objects", id.slice(0, 2), id.slice(2));
  rmSync(place(forged));
  execFileSync("cp", [place(other), place(forged)]);
  writeFiles(checkout.path, { "more.txt": "more\n" });
  const before = git(checkout.mirror, "rev-parse", "errand/run-1");
  await assert.rejects(keep(checkout), WorkspaceError);
  assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1"), before);
  assert.equal(git(checkout.mirror, "fsck", "--full", "--no-dangling"), "");
});

test("what git refuses and what is too large is left out and named, and everything else is kept", async (t) => {
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
