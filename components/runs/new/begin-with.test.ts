import assert from "node:assert/strict";
import { test } from "node:test";
import { beginWith } from "./begin-with.ts";

test("a command comes to the beginning of the prompt, in place of an earlier one and not of a path", () => {
  const commands = [{ name: "memory" }, { name: "memory show" }, { name: "review" }];
  const begun = (prompt: string) => beginWith("review", prompt, commands);
  assert.equal(begun(""), "/review ");
  assert.equal(begun("  the last commit"), "/review the last commit");
  assert.equal(begun("/memory show all"), "/review all");
  assert.equal(begun("/memory"), "/review ");
  assert.equal(begun("/etc/hosts is wrong"), "/review /etc/hosts is wrong");
});
