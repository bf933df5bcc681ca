import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { removeCheckout } from "./remove-checkout.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;
const failsWith = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test("a checkout is a separate repository on the run's branch", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "..", "my source");
  const first = makeRepository(source, { "a.txt": "one\n", "sub/tab\tnew\nline 🧭.txt": "x\n" });
  git(source, "checkout", "--quiet", "-b", "feature/x");
  writeFiles(source, { "b.txt": "two\n" });
  const second = commitAll(source, "second");
  git(source, "checkout", "--quiet", "main");
  writeFiles(source, { "a.txt": "not committed\n" });

  const common = { dataDir, repoId: 1, source, env };
  const checkout = await createCheckout({ ...common, runId: 5, baseBranch: null });
  assert.deepEqual(checkout, {
    runId: "5",
    path: join(dataDir, "checkouts/5"),
    branch: "errand/run-5",
    mirror: join(dataDir, "mirrors/1.git"),
    baseCommit: first,
    baseBranch: "main",
  });
  assert.equal(readFileSync(join(checkout.path, "a.txt"), "utf8"), "one\n");
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  assert.equal(git(checkout.path, "symbolic-ref", "--short", "HEAD"), "errand/run-5");
  assert.equal(git(checkout.path, "config", "--local", "user.email"), "errand@localhost");
  assert.equal(git(checkout.path, "remote"), "");

  const other = await createCheckout({ ...common, runId: 6, baseBranch: "feature/x" });
  assert.deepEqual([other.baseCommit, other.baseBranch], [second, "feature/x"]);
  const refs = git(other.path, "for-each-ref", "--format=%(refname)").split("\n");
  assert.deepEqual(refs, [
    "refs/heads/errand/run-6",
    "refs/heads/feature/x",
    "refs/remotes/origin/feature/x",
    "refs/remotes/origin/main",
  ]);
  rmSync(checkout.mirror, { recursive: true });
  assert.equal(git(other.path, "fsck", "--full"), "");
  assert.deepEqual(readdirSync(join(dataDir, "checkouts")), ["5", "6"]);
});

test("a run can begin where another run ended", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  const common = { dataDir, repoId: 1, source: join(dataDir, "..", "s"), env };
  const checkout = await createCheckout({ ...common, runId: 1, baseBranch: null });
  writeFiles(checkout.path, { "new.txt": "" });
  const { commit } = await commitAndKeep({ checkout, message: "m", env });
  const next = await createCheckout({ ...common, runId: 2, baseBranch: "errand/run-1" });
  assert.deepEqual([next.baseCommit, next.baseBranch], [commit, "errand/run-1"]);
});

test("two runs at once from one repository both get their checkout", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  const common = { dataDir, repoId: 1, source: join(dataDir, "..", "s"), env, baseBranch: null };
  const made = await Promise.all([1, 2, 3].map((runId) => createCheckout({ ...common, runId })));
  for (const { path } of made) assert.equal(git(path, "status", "--porcelain"), "");
});

test("the error for a missing branch, or an invalid branch name, names it", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  git(join(dataDir, ".."), "init", "--quiet", "empty");
  const common = { dataDir, repoId: 1, source: join(dataDir, "..", "s"), env };
  const make = (baseBranch: string) => createCheckout({ ...common, runId: 1, baseBranch });
  await assert.rejects(make("nope"), failsWith("branch_not_found", /"nope"/));
  await assert.rejects(make("errand/run-99"), failsWith("branch_not_found", /"errand\/run-99"/));
  await assert.rejects(make("--upload-pack=x"), failsWith("branch_name_invalid", /begin with a dash/));
  const empty = { dataDir, runId: 2, repoId: 2, source: join(dataDir, "..", "empty"), env, baseBranch: "main" };
  await assert.rejects(createCheckout(empty), failsWith("branch_not_found", /no branches yet/));
  assert.equal((await make("main")).baseBranch, "main");
  assert.deepEqual(readdirSync(join(dataDir, "checkouts")), ["1"]);
});

test("a repository without commits gives an empty checkout, and so does a run without a repository", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  git(join(dataDir, ".."), "init", "--quiet", "empty");
  const source = join(dataDir, "..", "empty");
  const ofSource = await createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env });
  const alone = await createCheckout({ dataDir, runId: 2, repoId: null, source: null, baseBranch: null, env });
  for (const checkout of [ofSource, alone]) {
    assert.deepEqual([checkout.baseCommit, checkout.baseBranch], [null, null]);
    assert.deepEqual(readdirSync(checkout.path), [".git"]);
    assert.equal(git(checkout.path, "symbolic-ref", "--short", "HEAD"), checkout.branch);
  }
  await assert.rejects(
    createCheckout({ dataDir, runId: 3, repoId: null, source: null, baseBranch: "main", env }),
    failsWith("branch_not_found", /"main"/),
  );
});

test("a checkout is kept between turns, and rebuilt from the mirror when it was deleted", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  const options = { dataDir, runId: 1, repoId: 1, source: join(dataDir, "..", "s"), baseBranch: null, env };
  const checkout = await createCheckout(options);
  writeFiles(checkout.path, { "kept.txt": "1" });
  const { commit } = await commitAndKeep({ checkout, message: "m", env });
  writeFiles(checkout.path, { "loose.txt": "2" });
  rmSync(join(dataDir, "..", "s"), { recursive: true });

  assert.deepEqual(await createCheckout(options), checkout);
  assert.equal(existsSync(join(checkout.path, "loose.txt")), true);

  mkdirSync(join(checkout.path, "locked/deep"), { recursive: true });
  chmodSync(join(checkout.path, "locked"), 0o500);
  await removeCheckout({ dataDir, runId: 1 });
  assert.equal(existsSync(checkout.path), false);
  assert.deepEqual(await createCheckout(options), checkout);
  assert.equal(existsSync(join(checkout.path, "loose.txt")), false);
  assert.equal(git(checkout.path, "rev-parse", "HEAD"), commit);
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  await assert.rejects(
    createCheckout({ ...options, runId: 2 }),
    failsWith("repository_unavailable", /s" does not exist/),
  );
});

test("a checkout left unfinished by a crash is discarded", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  const left = join(dataDir, "checkouts/.making-1-01234567-89ab-cdef-0123-456789abcdef");
  const foreign = join(dataDir, "checkouts/.making-11-01234567-89ab-cdef-0123-456789abcdef");
  for (const path of [left, foreign, join(dataDir, "checkouts/1")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(left, "half"), "");
  const checkout = await createCheckout({
    dataDir,
    runId: 1,
    repoId: 1,
    source: join(dataDir, "..", "s"),
    baseBranch: null,
    env,
  });
  assert.equal(git(checkout.path, "status", "--porcelain"), "");
  assert.deepEqual([existsSync(left), existsSync(foreign)], [false, true]);
});

test("submodules stay uninitialised and LFS pointers stay pointers", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "..", "s");
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
  makeRepository(join(dataDir, "..", "inner"));
  makeRepository(source, { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "x.bin": pointer });
  git(source, "submodule", "--quiet", "add", join(dataDir, "..", "inner"), "inner");
  commitAll(source, "with a submodule");
  const checkout = await createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env });
  assert.deepEqual(readdirSync(join(checkout.path, "inner")), []);
  assert.equal(readFileSync(join(checkout.path, "x.bin"), "utf8"), pointer);
  const kept = await commitAndKeep({ checkout, message: "m", env });
  assert.deepEqual([kept.commit, kept.filesChanged], [checkout.baseCommit, 0]);
});

test("a shallow or SHA-256 source, or a base branch called errand, gives a sound checkout", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "..", "s"));
  writeFiles(join(dataDir, "..", "s"), { b: "2" });
  commitAll(join(dataDir, "..", "s"), "second");
  git(join(dataDir, "..", "s"), "branch", "errand");
  git(join(dataDir, ".."), "clone", "--quiet", "--depth=1", "--no-local", "--no-single-branch", "s", "shallow");
  git(join(dataDir, ".."), "init", "--quiet", "--object-format=sha256", "--initial-branch=main", "long");
  makeRepository(join(dataDir, "..", "long"));
  for (const [repoId, baseBranch] of [
    ["shallow", "main"],
    ["long", "main"],
    ["s", "errand"],
  ] as const) {
    const source = join(dataDir, "..", repoId);
    const checkout = await createCheckout({ dataDir, runId: repoId, repoId, source, baseBranch, env });
    writeFiles(checkout.path, { "new.txt": "n\n" });
    const kept = await commitAndKeep({ checkout, message: "m", env });
    assert.equal(kept.filesChanged, 1);
    assert.equal(git(checkout.mirror, "rev-parse", checkout.branch), kept.commit);
    assert.equal(git(checkout.path, "status", "--porcelain"), "");
  }
});

test("a repository of thousands of files is checked out, and its work kept, within seconds", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const files = Array.from({ length: countOf({ short: 2000, long: 10_000 }) }, (_, n) => [
    `d${n % 100}/f${n}.txt`,
    `file ${n}\n`.repeat(20),
  ]);
  makeRepository(join(dataDir, "..", "s"), Object.fromEntries(files));
  const began = performance.now();
  const checkout = await createCheckout({
    dataDir,
    runId: 1,
    repoId: 1,
    source: join(dataDir, "..", "s"),
    baseBranch: null,
    env,
  });
  const made = performance.now();
  writeFiles(checkout.path, { "d1/f1.txt": "changed\n" });
  const kept = await commitAndKeep({ checkout, message: "m", env });
  const finished = performance.now();
  assert.equal(kept.filesChanged, 1);
  t.diagnostic(`checkout ${Math.round(made - began)} ms, finish ${Math.round(finished - made)} ms`);
  assert.ok(finished - began < 30_000);
  assert.ok(statSync(checkout.path).isDirectory());
});
