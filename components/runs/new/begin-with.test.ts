import assert from "node:assert/strict";
import { test } from "node:test";
import { beginWith } from "./begin-with.ts";

test("a command is put at the beginning of the prompt, and replaces an earlier command but not a path", () => {
  const commands = [{ name: "memory" }, { name: "memory show" }, { name: "review" }];
  const begun = (prompt: string) => beginWith("review", prompt, commands);
  assert.equal(begun(""), "/review ");
  assert.equal(begun("  the last commit"), "/review the last commit");
  assert.equal(begun("/memory show all"), "/review all");
  assert.equal(begun("/memory"), "/review ");
  assert.equal(begun("/etc/hosts is wrong"), "/review /etc/hosts is wrong");
});
