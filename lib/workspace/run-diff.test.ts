import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { computeDiff } from "./run-diff.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";

/** Incompressible bytes, the same for the same seed. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** A repository with a run's changes, which `change` makes in the checkout. */
function changed(t: TestContext, before: Record<string, string | Uint8Array>, change: (folder: string) => void) {
  const folder = join(temporaryFolder(t), "repository");
  const from = makeRepository(folder, before);
  change(folder);
  return { repository: folder, from, to: commitAll(folder, "second"), env: testEnv };
}

/** The tree after `git apply` of the diff in a fresh clone at the base, as a person would do it. */
function treeAfterApplying(t: TestContext, repository: string, from: string, diff: Uint8Array): string {
  const clone = join(temporaryFolder(t), "clone");
  git(".", "clone", "--quiet", repository, clone);
  git(clone, "checkout", "--quiet", "--detach", from);
  execFileSync("git", ["apply", "--index", "-"], { cwd: clone, input: diff, stdio: ["pipe", "pipe", "pipe"] });
  return git(clone, "write-tree");
}

test("git apply of the diff in a fresh clone makes the same tree", async (t) => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
  const range = changed(
    t,
    {
      "changed.bin": noise(5000, 1),
      "gone.bin": noise(300, 2),
      "moved.bin": noise(4000, 3),
      "moved.txt": lines,
      "moved and changed.txt": lines,
      "script.sh": "echo hi\n",
      "no end.txt": "one\ntwo",
      "end.txt": "one\ntwo\n",
      "dos.txt": "one\r\ntwo\r\n",
      "latin.txt": latin1("caf\xe9\nna\xefve\n"),
      "late nul.txt": `${"x\n".repeat(5000)}tail\n`,
    },
    (folder) => {
      writeFiles(folder, {
        "changed.bin": noise(5200, 1),
        "new.bin": noise(700, 4),
        "new.txt": "",
        "no end.txt": "one\n2",
        "end.txt": "one\n2",
        "dos.txt": "one\r\n2\r\n",
        "latin.txt": latin1("caf\xe9\nna\xefvet\xe9\n"),
        "late nul.txt": `${"x\n".repeat(5000)}tail\0end\n`,
        'odd "né"\n.txt': "name\n",
      });
      rmSync(join(folder, "gone.bin"));
      renameSync(join(folder, "moved.bin"), join(folder, "moved here.bin"));
      renameSync(join(folder, "moved.txt"), join(folder, "moved here.txt"));
      rmSync(join(folder, "moved and changed.txt"));
      writeFileSync(join(folder, "moved and changed here.txt"), lines.replace("line 7\n", "line seven\n"));
      chmodSync(join(folder, "script.sh"), 0o755);
    },
  );
  const diff = await computeDiff(range);
  assert.equal(diff.truncated, false);
  assert.equal(
    treeAfterApplying(t, range.repository, range.from, diff.diff),
    git(range.repository, "rev-parse", `${range.to}^{tree}`),
  );
  const text = Buffer.from(diff.diff).toString();
  assert.match(text, /\nGIT binary patch\n/);
  assert.match(text, /\nindex [0-9a-f]{40}\.\.[0-9a-f]{40}/);
  assert.match(text, /\nrename from moved\.bin\nrename to moved here\.bin\n/);
  assert.match(text, /\nold mode 100644\nnew mode 100755\n/);
  // Counts are of lines; binary files have none.
  const stat = git(range.repository, "diff", "-M", "--shortstat", range.from, range.to);
  const [, files, insertions, deletions] =
    /(\d+) files changed, (\d+) insertions\(\+\), (\d+) deletions/.exec(stat) ?? [];
  assert.deepEqual(
    [diff.filesChanged, diff.insertions, diff.deletions],
    [Number(files), Number(insertions), Number(deletions)],
  );
});

test("if binary contents make the diff too long, only they are left out; every text change stays", async (t) => {
  const range = changed(t, { "z.txt": "one\n" }, (folder) => {
    writeFiles(folder, { "a.bin": noise(50_000, 5), "z.txt": "two\n" });
  });
  const diff = await computeDiff({ ...range, bytesMax: 10_000 });
  assert.equal(diff.truncated, true);
  const text = Buffer.from(diff.diff).toString();
  assert.match(text, /\nBinary files \/dev\/null and b\/a\.bin differ\n/);
  assert.match(text, /\n-one\n\+two\n$/);
  assert.ok(diff.diff.length <= 10_000);
});
