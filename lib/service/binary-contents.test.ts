import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutBinaryContents } from "./binary-contents.ts";

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
