// Tier: rest
import assert from "node:assert/strict";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Checkout } from "./checkout.ts";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { compareCommits, readCommitFile } from "./kept-work.ts";
import { pruneMirror, removeRun } from "./remove-run.ts";
import { git, testEnv, writeFiles } from "./test-repository.ts";

const placeOf = ({ mirror }: Checkout) => ({
  dataDir: join(mirror, "../.."),
  runId: 1,
  repositoryId: 1,
  env: testEnv,
});

test("one turn's changes are compared separately: text, binary, renamed and deleted files", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", "b.txt": "two\n", "c.bin": new Uint8Array([0, 1]) });
  writeFiles(checkout.path, { "a.txt": "first turn\n" });
  const first = await keep(checkout);
  git(checkout.path, "mv", "b.txt", "moved.txt");
  git(checkout.path, "rm", "--quiet", "a.txt");
  writeFiles(checkout.path, { "c.bin": new Uint8Array([0, 2]), "new.txt": "new\n" });
  const second = await keep(checkout);
  const place = placeOf(checkout);
  const { diff, filesChanged } = await compareCommits({ ...place, from: first.commit, to: second.commit });
  const text = Buffer.from(diff).toString();
  assert.equal(filesChanged, 4);
  assert.match(text, /-first turn\n/);
  assert.match(text, /rename from b\.txt\nrename to moved\.txt\n/);
  assert.match(text, /GIT binary patch\n/);
  assert.match(text, /\+new\n/);
  assert.equal((await compareCommits({ ...place, from: null, to: first.commit })).filesChanged, 3);
});

test("a file is read as it is in a commit: no folder, no path out of it, a link as its target", async (t) => {
  const odd = 'odd "né"\n*.txt';
  const checkout = await checkoutOf(t, { "folder/a.txt": "one\n", [odd]: "odd\n" });
  symlinkSync("/etc/passwd", join(checkout.path, "link"));
  const { commit } = await keep(checkout);
  const read = async (path: string, bytesMax = 100) => {
    const file = await readCommitFile({ ...placeOf(checkout), commit: String(commit), path, bytesMax });
    return file === null ? null : [file.bytes, file.content?.toString() ?? null];
  };
  assert.deepEqual(await read("folder/a.txt"), [4, "one\n"]);
  assert.deepEqual(await read(odd), [4, "odd\n"]);
  assert.deepEqual(await read("link"), [11, "/etc/passwd"]);
  assert.deepEqual(await read("folder/a.txt", 3), [4, null]);
  for (const path of [
    "folder",
    "folder/",
    "none",
    "*.txt",
    "/etc/passwd",
    ":(glob)**",
    "../../../etc/passwd",
    "folder/../../x",
  ]) {
    assert.equal(await read(path), null, path);
  }
});

test("commits that an agent rewrote stay for as long as the run does", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "1.txt": "1\n" });
  const first = await keep(checkout);
  git(checkout.path, "commit", "--quiet", "--amend", "-m", "rewritten");
  writeFiles(checkout.path, { "2.txt": "2\n" });
  const second = await keep(checkout);
  const place = placeOf(checkout);
  await pruneMirror({ ...place });
  const diff = await compareCommits({ ...place, from: first.commit, to: second.commit });
  assert.equal(diff.filesChanged, 1);

  await removeRun(place);
  await pruneMirror({ ...place });
  assert.equal(git(checkout.mirror, "for-each-ref", "refs/errand/rewritten", "refs/heads"), "");
  const gone = compareCommits({ ...place, from: first.commit, to: second.commit });
  await assert.rejects(gone, { code: "commit_not_found" });
  assert.ok(existsSync(checkout.mirror));
  const nowhere = compareCommits({ ...place, repositoryId: 2, from: null, to: second.commit });
  await assert.rejects(nowhere, { code: "commit_not_found" });
});

test("files that belong to Git LFS are kept as they are and named; pointers are not", async (t) => {
  const pointer = (digit: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`;
  const attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n";
  const files = { ".gitattributes": attributes, "a.bin": pointer("1"), "b.bin": pointer("2"), "c.bin": pointer("3") };
  const checkout = await checkoutOf(t, { ...files, "old.bin": "never a pointer" });
  writeFiles(checkout.path, { "b.bin": pointer("4"), "new.txt": "x\n" });
  assert.deepEqual((await keep(checkout)).plainLfsFiles, []);
  writeFiles(checkout.path, { "a.bin": new Uint8Array([0, 1, 2, 0]), "sub/new ü\n2.bin": "text\n", "empty.bin": "" });
  rmSync(join(checkout.path, "c.bin"));
  const { plainLfsFiles } = await keep(checkout);
  assert.deepEqual(plainLfsFiles, ["a.bin", "sub/new ü\n2.bin"]);
  assert.equal(git(checkout.mirror, "cat-file", "-s", "errand/run-1:a.bin"), "4");
  assert.deepEqual((await keep(checkout)).plainLfsFiles, plainLfsFiles);
});
