import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { shellQuote } from "#lib/shell-quote.ts";
import { createRunCommand } from "./create-run-command.ts";

const hostile = ["it's", "a\nb", '$HOME `id` \\ "x"', "''", "", "-n", "ünï 😀"];

test("a shell reads quoted text back as it was", () => {
  for (const text of hostile) {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${shellQuote(text)}`], { encoding: "utf8" }), text);
  }
});

test("the command sends the body it was given to the operation's address", () => {
  const body = { prompt: hostile.join("|"), repo_id: 3 };
  const command = createRunCommand("http://127.0.0.1:3000", 7, body);
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${command}`;
  const words = execFileSync("sh", ["-c", script], {
    encoding: "utf8",
    env: { NODE_ENV: "test", ERRAND_TOKEN: "secret" },
  }).split("\0");
  assert.equal(words[0], "http://127.0.0.1:3000/v1/organizations/7/agent/run");
  assert.ok(words.includes("Authorization: Bearer secret"));
  assert.deepEqual(JSON.parse(words.at(-2) ?? ""), body);
});
