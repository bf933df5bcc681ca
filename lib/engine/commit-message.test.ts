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

test("a commit's message has no characters that reorder or hide others", () => {
  const message = (prompt: string, fullName: string) =>
    commitMessage({ id: 1, agent: "a" }, { number: 1, prompt }, { fullName, email: "a@example.com" }, (text) => text);
  const [subject, , , , trailer] = message("\u202EFix\u2066 p\u200Bath\u2069\nmore", "A\u202Eda").split("\n");
  assert.equal(subject, "Fix path");
  assert.equal(trailer, "Co-authored-by: Ada <a@example.com>");
});

test("a commit's subject is the run's title: no fence, mark, line end or half a character", () => {
  const subject = (prompt: string) =>
    commitMessage({ id: 1, agent: "a" }, { number: 1, prompt }, null, (text) => text).split("\n")[0];
  assert.equal(subject("```sh\nnpm test\n```"), "npm test");
  assert.equal(subject("# Title\r\nmore"), "Title");
  assert.equal(subject("@errand fix #2 with @team/core"), "@\u2060errand fix #2 with @\u2060team/core");
  assert.equal(subject("Why does [ci skip] fail? [skip_ci]"), "Why does [\u2060ci skip] fail? [\u2060skip_ci]");
  assert.equal(subject("<!-- hint -->\n- fix \u001b[31mit"), "fix [31mit");
  assert.equal(subject(`${"a".repeat(70)}😀😀`), `${"a".repeat(70)}…`);
});

test("the trailer names the person on one line that hosts can read, and nobody without an address", () => {
  const trailers = (fullName: string | null, email: string | null) => {
    const message = commitMessage(
      { id: 1, agent: "a" },
      { number: 1, prompt: "p" },
      { fullName, email },
      (text) => text,
    );
    return message.split("\n\n").slice(2).join("\n\n");
  };
  assert.equal(trailers("Ada Lovelace", "ada@example.com"), "Co-authored-by: Ada Lovelace <ada@example.com>");
  assert.equal(
    trailers("Ada <eve@example.com>\r\n\nCo-authored-by: Eve", "ada@example.com"),
    "Co-authored-by: Ada eve@example.com Co-authored-by: Eve <ada@example.com>",
  );
  assert.equal(
    trailers("@bob fixes #1", "ada@example.com"),
    "Co-authored-by: @\u2060bob fixes\u2060 #\u20601 <ada@example.com>",
  );
  assert.equal(trailers("<>\n", "ada@example.com"), "Co-authored-by: ada@example.com <ada@example.com>");
  assert.equal(trailers(null, "ada@example.com"), "Co-authored-by: ada@example.com <ada@example.com>");
  assert.equal(trailers("Ada", null), "");
});
