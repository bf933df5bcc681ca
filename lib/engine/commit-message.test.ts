import assert from "node:assert/strict";
import { test } from "node:test";
import { commitMessage } from "./commit-message.ts";

test("a secret in the prompt's first line is not in the commit's subject, even if the cut goes through it", () => {
  const mask = (text: string) => text.replaceAll("sk-0123456789", "***");
  const subject = (prompt: string) =>
    commitMessage({ id: 1, agent: "a" }, { number: 1, prompt }, null, mask).split("\n")[0];
  assert.equal(subject("Use sk-0123456789 now\nplease"), "Use *** now");
  assert.ok(!subject(`${"x".repeat(66)}sk-0123456789`)?.includes("sk-"));
});
