import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ensureMirror, findCommits, findRef, mirrorPath, removeMirror } from "./mirror.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;
const unavailable = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.equal(error.code, "repository_unavailable");
  assert.match(error.message, message);
  return true;
};

test("a mirror follows its source and never touches the branches of runs", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  const first = makeRepository(source);
  git(source, "branch", "gone");
  git(source, "branch", "errand/run-1");
  git(source, "tag", "v1");
  const mirror = await ensureMirror({ dataDir, repoId: 7, source, env });
  assert.equal(mirror.path, mirrorPath(dataDir, 7));
  assert.deepEqual([mirror.defaultBranch, mirror.defaultCommit], ["main", first]);
  git(mirror.path, "update-ref", "refs/heads/errand/run-1", first);

  git(source, "branch", "-D", "gone");
  git(source, "branch", "gone/deeper");
  git(source, "commit", "--quiet", "--amend", "-m", "rewritten");
  git(source, "branch", "-f", "errand/run-1");
  git(source, "tag", "-f", "v1");
  const again = await ensureMirror({ dataDir, repoId: 7, source: pathToFileURL(source).href, env });
  assert.equal(again.defaultCommit, git(source, "rev-parse", "HEAD"));
  const refs = git(mirror.path, "for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  const second = again.defaultCommit;
  assert.deepEqual(refs, [
    `refs/errand/head ${second}`,
    `refs/heads/errand/run-1 ${first}`,
    `refs/remotes/origin/errand/run-1 ${second}`,
    `refs/remotes/origin/gone/deeper ${first}`,
    `refs/remotes/origin/main ${second}`,
    `refs/tags/v1 ${second}`,
  ]);
  assert.deepEqual(readdirSync(join(dataDir, "mirrors")), ["7.git"]);
  await removeMirror({ dataDir, repoId: 7 });
  assert.deepEqual(readdirSync(join(dataDir, "mirrors")), []);
});

test("a source is fetched only if its branches, tags or HEAD have changed", async (t) => {
  const folder = temporaryFolder(t);
  const [dataDir, source, log] = ["data", "source", "log"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  makeRepository(source);
  git(source, "tag", "--annotate", "-m", "x", "v1");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho " $* " >> '${log}'\nexec ${real} "$@"\n`, { mode: 0o755 });
  const counted = { ...env, PATH: `${bin}:${env.PATH}` };
  const fetches = async (repoId = 1) => {
    writeFileSync(log, "");
    const mirror = await ensureMirror({ dataDir, repoId, source, env: counted });
    return { mirror, count: (readFileSync(log, "utf8").match(/ fetch /g) ?? []).length };
  };
  assert.equal((await fetches()).count, 1);
  const again = await fetches();
  assert.equal(again.count, 0);
  assert.equal(again.mirror.defaultCommit, git(source, "rev-parse", "HEAD"));
  for (const change of [
    ["branch", "other"],
    ["branch", "-D", "other"],
    ["tag", "v2"],
    ["tag", "-d", "v2"],
    ["commit", "--quiet", "--amend", "-m", "rewritten"],
    ["switch", "--quiet", "--detach"],
    ["commit", "--quiet", "--allow-empty", "-m", "detached"],
  ]) {
    git(source, ...change);
    const isSame = change[0] === "switch";
    const { count, mirror } = await fetches();
    assert.deepEqual(
      [count, mirror.defaultCommit],
      [isSame ? 0 : 1, git(source, "rev-parse", "HEAD")],
      change.join(" "),
    );
    assert.equal((await fetches()).count, 0, change.join(" "));
  }
});

test("a reference of a mirror is found as a file and when it is packed", async (t) => {
  const source = join(temporaryFolder(t), "source");
  const first = makeRepository(source);
  git(source, "branch", "errand/run-1");
  git(source, "branch", "errand/run-10");
  const names = [
    "refs/heads/errand/run-1",
    "refs/heads/errand/run-10",
    "refs/heads/errand",
    "refs/heads/run-1",
    "HEAD",
  ];
  const expected = [first, first, null, null, null];
  const find = () => Promise.all(names.map((name) => findRef(join(source, ".git"), name)));
  assert.deepEqual(await find(), expected);
  git(source, "pack-refs", "--all");
  assert.deepEqual(await find(), expected);
  const second = git(source, "commit-tree", "-m", "second", "HEAD^{tree}");
  git(source, "update-ref", "refs/heads/errand/run-1", second);
  assert.deepEqual(await find(), [second, ...expected.slice(1)]);
});

test("of several names each leads to its own commit, or to none", async (t) => {
  const source = join(temporaryFolder(t), "source");
  const first = makeRepository(source);
  git(source, "tag", "--annotate", "-m", "x", "v1");
  git(source, "tag", "tree", "HEAD^{tree}");
  const second = git(source, "commit-tree", "-m", "second", "HEAD^{tree}");
  const names = ["refs/heads/main", "no\nrefs/heads/main", "refs/heads/no", "refs/tags/tree", second, "refs/tags/v1"];
  assert.deepEqual(await findCommits(source, names, { env }), [first, null, null, null, second, first]);
  assert.deepEqual(await findCommits(source, [], { env }), []);
});

test("many callers of one repository at once all get the mirror", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const first = makeRepository(join(dataDir, "../source"));
  const calls = Array.from({ length: 6 }, () =>
    ensureMirror({ dataDir, repoId: 1, source: join(dataDir, "../source"), env }),
  );
  assert.deepEqual(new Set((await Promise.all(calls)).map((mirror) => mirror.defaultCommit)), new Set([first]));
});

test("a source that is gone makes the repository unavailable, even if a mirror exists", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  await assert.rejects(ensureMirror({ dataDir, repoId: 1, source, env }), unavailable(/source" does not exist/));
  makeRepository(source);
  await ensureMirror({ dataDir, repoId: 1, source, env });
  renameSync(source, `${source}.moved`);
  await assert.rejects(ensureMirror({ dataDir, repoId: 1, source, env }), unavailable(/source" does not exist/));
});

test("empty, shallow, detached, SHA-256 and foreign-owned sources work", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const folder = join(dataDir, "..");
  const at = (name: string) => join(folder, name);
  const ensure = (name: string) => ensureMirror({ dataDir, repoId: name, source: at(name), env });
  git(folder, "init", "--quiet", "empty");
  assert.deepEqual((await ensure("empty")).defaultCommit, null);
  const first = makeRepository(at("empty"));
  assert.equal((await ensure("empty")).defaultCommit, first);

  writeFiles(at("empty"), { b: "2" });
  const second = commitAll(at("empty"), "second");
  git(folder, "clone", "--quiet", "--depth=1", pathToFileURL(at("empty")).href, "shallow");
  assert.equal((await ensure("shallow")).defaultCommit, second);

  git(at("empty"), "clone", "--quiet", ".", at("detached"));
  git(at("detached"), "checkout", "--quiet", "--detach", first);
  git(at("detached"), "commit", "--quiet", "--allow-empty", "-m", "on no branch");
  const detached = await ensure("detached");
  assert.deepEqual([detached.defaultBranch, detached.defaultCommit], [null, git(at("detached"), "rev-parse", "HEAD")]);

  git(folder, "init", "--quiet", "--object-format=sha256", "long");
  const long = makeRepository(at("long"));
  assert.equal((await ensure("long")).defaultCommit, long);

  if (process.getuid?.() !== 0) return;
  chownSync(at("shallow"), 12345, 12345);
  chownSync(join(at("shallow"), ".git"), 12345, 12345);
  assert.equal((await ensure("shallow")).defaultCommit, second);
});

test("a default branch whose name is not UTF-8 is where runs begin, without a name", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  const first = makeRepository(source);
  execFileSync("bash", ["-c", "git branch -m $'gr\\xf6sse'"], { cwd: source });
  const { defaultBranch, defaultCommit } = await ensureMirror({ dataDir, repoId: 1, source, env });
  assert.deepEqual([defaultBranch, defaultCommit], [null, first]);
});

test("a link changed to point into the data folder is not fetched", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source);
  const foreign = join(dataDir, "../foreign");
  makeRepository(foreign, { secret: "theirs\n" });
  const theirs = await ensureMirror({ dataDir, repoId: 2, source: foreign, env });
  const link = join(dataDir, "../link");
  symlinkSync(source, link);
  const mirror = await ensureMirror({ dataDir, repoId: 1, source: link, env });
  rmSync(link);
  symlinkSync(theirs.path, link);
  await assert.rejects(ensureMirror({ dataDir, repoId: 1, source: link, env }), unavailable(/is inside Errand's data/));
  assert.throws(() => git(mirror.path, "cat-file", "-e", theirs.defaultCommit ?? ""), "nothing of theirs has come");
});

test("lock files of a killed git do not stop the next fetch", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source);
  const mirror = await ensureMirror({ dataDir, repoId: 1, source, env });
  git(source, "commit", "--quiet", "--allow-empty", "-m", "more");
  writeFileSync(join(mirror.path, "refs/remotes/origin/main.lock"), "");
  const again = await ensureMirror({ dataDir, repoId: 1, source, env });
  assert.equal(again.defaultCommit, git(source, "rev-parse", "HEAD"));
});

test("an id that is not a file name is refused", () => {
  for (const id of ["../x", "a/b", "", "."]) assert.throws(() => mirrorPath("/data", id), RangeError);
});

test("an aborted fetch leaves no mirror and no lock", async (t) => {
  const dataDir = join(temporaryFolder(t), "data");
  makeRepository(join(dataDir, "../source"));
  const abort = new AbortController();
  const running = ensureMirror({ dataDir, repoId: 1, source: join(dataDir, "../source"), env, signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(running, /enough/);
  rmSync(join(dataDir, "../source"), { recursive: true });
  assert.deepEqual(existsSync(join(dataDir, "mirrors")) ? readdirSync(join(dataDir, "mirrors")) : [], []);
});
