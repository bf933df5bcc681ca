import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { maskOf } from "#lib/entry/mask-values.ts";
import { maskDiff, withoutBinaryContents } from "./binary-contents.ts";

const left = (diff: string) => Buffer.from(withoutBinaryContents(Buffer.from(diff, "latin1"))).toString("latin1");

test("binary contents are left out, while their sizes and everything else stay byte for byte", () => {
  const header = "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\n";
  const text = "diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-caf\xe9\n+GIT binary patch\n";
  const contents = "literal 5\nMcmZQ%U|?uqU{3\n\ndelta 12\nTcmZ3>Ae=Rkc>\n\n";
  assert.equal(left(`${header}${contents}${text}`), `${header}literal 5\n\ndelta 12\n\n${text}`);
  assert.equal(
    left(`${text}${header}${contents}${header}${contents}`),
    `${text}${header}literal 5\n\ndelta 12\n\n${header}literal 5\n\ndelta 12\n\n`,
  );
  assert.equal(left(text), text);
  assert.equal(left(""), "");
});

test("a diff that breaks off inside binary contents ends there", () => {
  assert.equal(left("x\nGIT binary patch\nliteral 5\nMcm"), "x\nGIT binary patch\nliteral 5\n\n");
  assert.equal(left("x\nGIT binary patch\nliteral 5"), "x\nGIT binary patch\nliteral 5");
  assert.equal(left("x\nGIT binary patch\n"), "x\nGIT binary patch\n");
});

/** The diff that git writes between two files, of which either may be missing. */
function diffOf(before: Uint8Array | null, after: Uint8Array | null): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "binary-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  try {
    git("init", "-q");
    const trees = [before, after].map((content) => {
      git("rm", "-q", "-f", "--ignore-unmatch", "a.bin");
      if (content !== null) writeFileSync(join(folder, "a.bin"), content);
      git("add", "-A");
      return git("write-tree").toString().trim();
    });
    return git("diff", "--binary", "--full-index", ...trees);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const secret = "Tr0ub4dor&3x9 and more";
const mask = maskOf([secret]);
const other = randomBytes(5000);
const withSecret = Buffer.concat([other.subarray(0, 2500), Buffer.from(`\0${secret}\0`), other.subarray(2500)]);

test("a binary file in which either side has a secret has no contents in a masked diff, and every other is unchanged", () => {
  const large = Buffer.concat([Buffer.alloc(100_000, "\0\x01"), Buffer.from(secret)]);
  for (const [before, after, kinds] of [
    [null, withSecret, ["literal", "literal"]],
    [withSecret, null, ["literal", "literal"]],
    [other, withSecret, ["delta", "delta"]],
    [withSecret, other, ["delta", "delta"]],
    [null, large, ["literal", "literal"]],
    [Buffer.from(`\0${secret}`), Buffer.from("\0"), ["literal", "literal"]],
  ] as const) {
    const diff = diffOf(before, after);
    const headers = [...diff.toString("latin1").matchAll(/^(literal|delta) \d+$/gm)];
    assert.deepEqual(
      headers.map(([, kind]) => kind),
      kinds,
    );
    const shown = maskDiff(mask, Buffer.concat([diff, diffOf(null, other)]));
    assert.deepEqual(shown, Buffer.concat([withoutBinaryContents(diff), diffOf(null, other)]));
    assert.deepEqual(maskDiff(mask, shown), shown);
  }
  for (const diff of [diffOf(other, null), diffOf(other, Buffer.concat([other, other.subarray(7)])), Buffer.from("")])
    assert.equal(maskDiff(mask, diff).toString(), diff.toString());
});

test("contents that cannot be searched are left out: malformed ones, and what is far larger than it says", () => {
  const diff = diffOf(null, Buffer.alloc(100_000)).toString("latin1");
  for (const changed of [
    diff.replace("literal 100000", "literal 10"),
    diff.replace("literal 100000", "literal 99999999999"),
    diff.replace(/(literal 100000\n.)c/, "$1~"),
  ]) {
    const shown = Buffer.from(maskDiff(mask, Buffer.from(changed, "latin1")));
    assert.deepEqual(shown, Buffer.from(withoutBinaryContents(Buffer.from(changed, "latin1"))));
  }
});
