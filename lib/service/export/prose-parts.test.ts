import assert from "node:assert/strict";
import { test } from "node:test";
import { proseParts } from "./prose-parts.ts";

test("prose is cut at its fences and loses nothing else", () => {
  const parts = (text: string) => proseParts(text).map(({ kind, text: part }) => `${kind}: ${part}`);
  assert.deepEqual(parts("a\n\n```sh\nls\n```\n\nb"), ["prose: a", "code: ls", "prose: b"]);
  assert.deepEqual(parts("````\n```\n````"), ["code: ```"]);
  assert.deepEqual(parts("a\n~~~\nno end"), ["prose: a", "prose: ~~~\nno end"]);
  assert.deepEqual(parts("```a`b"), ["prose: ```a`b"]);
  assert.deepEqual(parts("```\n```"), ["code: "]);
  assert.deepEqual(parts(""), []);
});
