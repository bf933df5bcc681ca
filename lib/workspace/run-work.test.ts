// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { mirrorPath } from "./mirror.ts";
import { writeRunRecord } from "./run-record.ts";
import { type RunWork, readRunWork } from "./run-work.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";

/** A mirror whose run 1 begins at `main` of the source; its commits are made in the folder `work`. */
async function begun(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const work = join(dataDir, "work");
  const base = makeRepository(work);
  const mirror = mirrorPath(dataDir, 1);
  git(dataDir, "init", "--quiet", "--bare", mirror);
  const put = (ref: string) => git(work, "push", "--quiet", "--force", mirror, `HEAD:${ref}`);
  put("refs/remotes/origin/main");
  put("refs/errand/base/run-1");
  await writeRunRecord(mirror, "1", { baseCommit: base, baseBranch: "main" });
  const read = async (env = testEnv): Promise<RunWork> => {
    put("refs/heads/errand/run-1");
    const { signal } = t;
    const found = await readRunWork({ dataDir, repoId: 1, runId: 1, baseBranch: "main", env, signal });
    assert.ok(found !== null);
    return found;
  };
  return { dataDir, work, mirror, put, read, base };
}

test("a line that one commit added and a later one removed is read, as it is pushed too; lines of the source are not", async (t) => {
  const { work, put, read } = await begun(t);
  writeFiles(work, { "passing.txt": "secret\n", "kept.txt": "kept\n" });
  const first = commitAll(work, "one");
  assert.deepEqual((await read()).passing, [], "one commit holds nothing else than its changes");
  git(work, "rm", "--quiet", "passing.txt");
  commitAll(work, "two");
  const { added, passing } = await read();
  assert.deepEqual(added, [{ path: "kept.txt", line: 1, text: "kept" }]);
  assert.deepEqual(passing, [{ path: "passing.txt", line: 1, text: "secret", commit: first }]);
  put("refs/errand/pushed/run-1");
  writeFiles(work, { "later.txt": "later\n" });
  commitAll(work, "three");
  assert.deepEqual((await read()).passing, [], "pushed before");
  put("refs/remotes/origin/other");
  assert.deepEqual((await read()).passing, [], "on another branch of the source");
});

test("added lines have the paths of their files, whatever characters are in them", async (t) => {
  const { work, read } = await begun(t);
  const paths = ["with space.txt", 'quo"te.txt', "back\\slash.txt", "tab\tand ü.txt", "folder b/ü.txt"];
  writeFiles(work, Object.fromEntries(paths.map((path) => [path, "kept\npassing\n"])));
  const first = commitAll(work, "one");
  writeFiles(work, Object.fromEntries(paths.map((path) => [path, "kept\n"])));
  commitAll(work, "two");
  const { added, passing, changed } = await read();
  assert.deepEqual(changed.map(({ path }) => path).sort(), paths.toSorted());
  assert.deepEqual(added.map(({ path }) => path).sort(), paths.toSorted());
  assert.deepEqual(
    passing.map(({ path, text, commit }) => [path, text, commit]).sort(),
    paths.toSorted().map((path) => [path, "passing", first]),
  );
});

test("a file that one commit added and a later one removed is read with its size, deleted and kept ones are not", async (t) => {
  const { work, put, read } = await begun(t);
  writeFiles(work, { "large ü.bin": "x".repeat(3000), "kept.txt": "kept\n" });
  const first = commitAll(work, "one");
  assert.deepEqual((await read()).passingFiles, []);
  git(work, "rm", "--quiet", "large ü.bin");
  commitAll(work, "two");
  assert.deepEqual((await read()).passingFiles, [{ path: "large ü.bin", bytes: 3000, commit: first }]);
  put("refs/errand/pushed/run-1");
  writeFiles(work, { "kept.txt": "other\n" });
  commitAll(work, "three");
  assert.deepEqual((await read()).passingFiles, [], "pushed before");
});

test("what a merge adds or removes is read as of any commit, and what it merges is not", async (t) => {
  const { work, put, read } = await begun(t);
  git(work, "checkout", "--quiet", "-b", "work");
  writeFiles(work, { "key.txt": "first key\n", "kept.txt": "kept\n" });
  const first = commitAll(work, "one");
  git(work, "checkout", "--quiet", "main");
  writeFiles(work, { "main.txt": "of main\n" });
  commitAll(work, "of main");
  put("refs/remotes/origin/main");
  git(work, "checkout", "--quiet", "work");
  git(work, "merge", "--quiet", "--no-ff", "--no-commit", "main");
  git(work, "rm", "--quiet", "--force", "key.txt");
  const added = { "added.txt": "second key\n", "large.bin": "\0third key", "main.txt": "of main\nfourth key\n" };
  writeFiles(work, added);
  const merge = commitAll(work, "merged");
  const merged = await read();
  assert.deepEqual(
    merged.passing.map(({ text, commit }) => [text, commit]),
    [["first key", first]],
  );
  git(work, "rm", "--quiet", "--force", "added.txt", "large.bin");
  writeFiles(work, { "main.txt": "of main\n" });
  const last = commitAll(work, "two");
  const { passing, passingFiles, binaries } = await read();
  assert.deepEqual(passing.map(({ path, line, text, commit }) => [path, line, text, commit]).sort(), [
    ["added.txt", 1, "second key", merge],
    ["key.txt", 1, "first key", first],
    ["main.txt", 2, "fourth key", merge],
  ]);
  assert.deepEqual(passingFiles.map(({ path, commit }) => [path, commit]).sort(), [
    ["added.txt", merge],
    ["key.txt", first],
    ["large.bin", merge],
    ...[merge, last].sort().map((commit) => ["main.txt", commit]),
  ]);
  assert.deepEqual(
    binaries.map(({ path, commit }) => [path, commit]),
    [["large.bin", merge]],
  );
});

test("the texts in files that are no text are read, in whatever commit they are", async (t) => {
  const { work, read } = await begun(t);
  const utf16 = Buffer.from("a key\n", "utf16le").toString("latin1");
  writeFiles(work, { "a ü.bin": "\0\u0001cfg=\0a key\0rest", "later.bin": "\0another key" });
  const first = commitAll(work, "one");
  const one = await read();
  assert.deepEqual(one.binaries.map(({ path, commit }) => [path, commit]).sort(), [
    ["a ü.bin", null],
    ["later.bin", null],
  ]);
  assert.ok(one.binaries.find(({ path }) => path === "a ü.bin")?.lines.includes("a key"));
  git(work, "rm", "--quiet", "later.bin");
  writeFiles(work, { "a ü.bin": utf16 });
  commitAll(work, "two");
  const two = await read();
  assert.deepEqual(two.binaries.map(({ path, commit }) => [path, commit === null ? "now" : commit]).sort(), [
    ...[first, "now"].sort().map((commit) => ["a ü.bin", commit]),
    ["later.bin", first],
  ]);
  assert.ok(two.binaries.find(({ commit }) => commit === null)?.lines.includes("a key"), "in UTF-16");
});

test("what was merged from the base branch meanwhile is not the run's work", async (t) => {
  const { work, put, read } = await begun(t);
  git(work, "checkout", "--quiet", "-b", "work");
  writeFiles(work, { "mine.txt": "mine\n" });
  commitAll(work, "mine");
  git(work, "checkout", "--quiet", "main");
  writeFiles(work, { "main.txt": "of main\n" });
  commitAll(work, "of main");
  put("refs/remotes/origin/main");
  git(work, "checkout", "--quiet", "work");
  const before = await read();
  git(work, "merge", "--quiet", "--no-edit", "main");
  const after = await read();
  for (const { files, added } of [before, after]) {
    assert.deepEqual([files, added.map(({ text }) => text)], [1, ["mine"]]);
  }
  assert.deepEqual([before.behind, after.behind], [1, 0]);
  assert.deepEqual(after.messages.map(({ text }) => text.split(" ")[0]).sort(), ["Merge", "mine\n"]);
});

test("messages are those of the commits that would be pushed, merges too", async (t) => {
  const { work, put, read } = await begun(t);
  writeFiles(work, { "mine.txt": "one\n" });
  const first = commitAll(work, "one");
  const { messages, isCut } = await read();
  assert.deepEqual(
    [messages.map(({ header: _, ...message }) => message), isCut],
    [[{ commit: first, text: "one\n" }], false],
  );
  put("refs/errand/pushed/run-1");
  git(work, "checkout", "--quiet", "-b", "side", "HEAD~1");
  writeFiles(work, { "b.txt": "side\n" });
  commitAll(work, "side");
  git(work, "merge", "--quiet", "-m", "merged", first);
  assert.deepEqual((await read()).messages.map(({ text }) => text).sort(), ["merged\n", "side\n"]);
});

test("with its message comes the rest of a commit: author, committer, and the text of a tag that was merged", async (t) => {
  const { work, read } = await begun(t);
  git(work, "checkout", "--quiet", "-b", "side");
  writeFiles(work, { "b.txt": "side\n" });
  const named = [
    "-c",
    "author.name=Ada ü",
    "-c",
    "author.email=by@a",
    "-c",
    "committer.name=Bo",
    "-c",
    "committer.email=@b",
  ];
  git(work, "add", "--all");
  git(work, ...named, "commit", "--quiet", "--allow-empty-message", "-m", "");
  git(work, "tag", "--annotate", "-m", "of the tag\n-----BEGIN SSH SIGNATURE-----\n", "v1");
  git(work, "checkout", "--quiet", "-");
  git(work, "merge", "--quiet", "--no-ff", "-m", "merged\n\n two", "v1");
  const [merge, side] = (await read()).messages;
  assert.deepEqual([merge?.text, side?.text], ["merged\n\n two\n", ""]);
  assert.match(merge?.header ?? "", /^ tag v1\n(?:.*\n)+ of the tag\n/m);
  assert.match(side?.header ?? "", /^author Ada ü <by@a> .*\ncommitter Bo <@b> /m);
});

test("a link to a commit of a repository that .gitmodules does not name is known, whatever its settings", async (t) => {
  const { work, read } = await begun(t);
  const links = (changed: { path: string; isUnknownLink: boolean }[]) =>
    changed.flatMap(({ path, isUnknownLink }) => (isUnknownLink ? [path] : []));
  for (const path of ["lib/a ü", "lib/b"]) {
    git(work, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${path}`);
  }
  git(work, "commit", "--quiet", "-m", "links");
  assert.deepEqual(links((await read()).changed), ["lib/a ü", "lib/b"]);
  git(work, "config", "--file", ".gitmodules", "submodule.a.path", "lib/a ü");
  git(work, "add", ".gitmodules");
  git(work, "commit", "--quiet", "-m", "named");
  assert.deepEqual(links((await read()).changed), ["lib/b"]);
  writeFiles(work, { ".gitmodules": "[broken" });
  git(work, "add", ".gitmodules");
  git(work, "commit", "--quiet", "-m", "broken");
  assert.deepEqual(links((await read()).changed), ["lib/a ü", "lib/b"]);
});

test("more paths than are read are said to be cut", async (t) => {
  const { work, read } = await begun(t);
  writeFiles(work, Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`many/${at}.txt`, ""])));
  commitAll(work, "many");
  const { changed, files, isCut } = await read();
  assert.deepEqual([changed.length, files, isCut], [10_000, 10_001, true]);
});

test("the commits of a run that begins at another run's branch are read together with that run's", async (t) => {
  const { work, mirror, put, read } = await begun(t);
  writeFiles(work, { "passing.txt": "secret\n" });
  const first = commitAll(work, "of another run");
  put("refs/errand/base/run-1");
  await writeRunRecord(mirror, "1", { baseCommit: first, baseBranch: "errand/run-7" });
  git(work, "rm", "--quiet", "passing.txt");
  commitAll(work, "own");
  assert.deepEqual(
    (await read()).passing.map(({ text, commit }) => [text, commit]),
    [["secret", first]],
  );
});

test("hundreds of links are read by a few processes, each with where it leads", async (t) => {
  const { dataDir, work, read } = await begun(t);
  const count = 300;
  for (let at = 0; at < count; at += 1) symlinkSync(at % 2 === 0 ? "a.txt" : `ü\n${at}`, join(work, `link-${at}`));
  symlinkSync("x".repeat(4000), join(work, "long"));
  commitAll(work, "links");
  const programs = join(dataDir, "programs");
  mkdirSync(programs);
  const said = join(dataDir, "said");
  const path = testEnv.PATH ?? "";
  writeFileSync(join(programs, "git"), `#!/bin/sh\necho >> '${said}'\nPATH='${path}' exec git "$@"\n`);
  chmodSync(join(programs, "git"), 0o755);
  const { changed } = await read({ ...testEnv, PATH: `${programs}:${path}` });
  const targets = changed.map((one) => [one.path, one.target, one.mode]);
  assert.equal(targets.length, count + 1);
  assert.deepEqual(
    targets.find(([name]) => name === "link-4"),
    ["link-4", "a.txt", "120000"],
  );
  assert.deepEqual(
    targets.find(([name]) => name === "link-7"),
    ["link-7", "ü\n7", "120000"],
  );
  assert.equal(changed.find((one) => one.path === "long")?.target?.length, 4000);
  assert.ok(readFileSync(said, "utf8").length < 20, `${readFileSync(said, "utf8").length} processes`);
});
