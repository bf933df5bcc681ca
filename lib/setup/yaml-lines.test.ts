import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "./yaml-lines.ts";

test("a text that would take long to parse is not read", () => {
  for (const text of [
    `a: ${"[".repeat(200)}${"]".repeat(200)}`,
    `a: ${"{a: ".repeat(200)}`,
    `a:\n  ${"- ".repeat(200)}x`,
    "a: 1\n---\n".repeat(20),
    `a: 1\n#${"x".repeat(200_000)}`,
  ]) {
    assert.equal(parseYaml(text), null, text.slice(0, 20));
  }
});

test("a map with many keys or a key twice is read", () => {
  const many = Array.from({ length: 5000 }, (_, at) => `k${at}: ${at}`).join("\n");
  assert.equal(parseYaml(many)?.root.items.length, 5000);
  assert.equal(parseYaml("a: 1\na: 2\n")?.root.items.length, 2);
});
