import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { slackMessages } from "./slack-text.ts";

test("links, weights, headings, lists, quotations and tables are Slack's, and nothing else notifies or links", () => {
  assert.deepEqual(slackMessages("<!channel> & [run 1](https://e.test/1) <@U1>"), [
    "&lt;!channel&gt; &amp; <https://e.test/1|run 1> &lt;@U1&gt;",
  ]);
  const text =
    "# A **b**\n\n**bold** *i* ~~s~~ [t](https://a|b) [x] [m](javascript:x) @here\n\n- a\n- b\n\n  1. c\n\n> q\n> r\n\n---\n\n| a |\n|---|\n| 1 |";
  assert.deepEqual(slackMessages(text), [
    "*A b*\n\n*bold* _i_ ~s~ <https://a%7Cb|t> [x] m @\u2060here\n\n• a\n• b\n    1. c\n\n> q\n> r\n\n———\n\n```\n| a |\n|---|\n| 1 |\n```",
  ]);
});

test("nothing in code is changed but the characters that Slack decodes", () => {
  const text = "```js\nlet a = [x](https://e.x/) && **b** // @here\n```\n\n`[y](https://e.y/)`";
  assert.deepEqual(slackMessages(text), [
    "```\nlet a = [x](https://e.x/) &amp;&amp; **b** // @here\n```\n\n`[y](https://e.y/)`",
  ]);
  assert.deepEqual(slackMessages("```\nopen"), ["```\nopen\n```"]);
});

test("a long text is split at lines, its code closed and opened again; what is too long is cut, with the link first", () => {
  const code = Array.from({ length: 400 }, (_, index) => `line ${index} of <code>`);
  const link = { own: "[Run](http://e.test/1)", leads: true };
  const messages = slackMessages([{ by: "agent", text: `\`\`\`\n${code.join("\n")}\n\`\`\`` }, link]);
  assert.ok(messages.length > 1 && messages.every((message) => message.length <= 4000));
  for (const message of messages) assert.equal(message.split("```").length, 3);
  const said = messages
    .join("\n")
    .replaceAll("```\n", "")
    .replaceAll("\n```", "")
    .split("\n")
    .filter((line) => line.startsWith("line"));
  assert.deepEqual(
    said,
    code.map((line) => line.replace("<", "&lt;").replace(">", "&gt;")),
  );
  assert.ok(messages.at(-1)?.endsWith("\n\n<http://e.test/1|Run>"));
  const cut = slackMessages([{ by: "agent", text: "😀 &".repeat(20_000) }, link]);
  assert.ok(cut[0]?.startsWith("<http://e.test/1|Run>\n\n"));
  assert.ok(cut.at(-1)?.endsWith("\n\n… The rest is in the run."));
  assert.ok(cut.every((message) => message.length <= 4000 && message.isWellFormed()));
  assert.ok(!cut.some((message) => /&(?!amp;)/.test(message)));
});

test("a picture in a link is its words, words with backticks begin no code, and an address without end is no link", () => {
  assert.deepEqual(slackMessages("[![build](https://e.test/b.svg)](https://e.test)"), ["<https://e.test|build>"]);
  assert.deepEqual(slackMessages("\\`\\`\\` a\n\n| a |\n|---|\n| ``` |\n\n```` a```b ````"), [
    "``\u2060` a\n\n```\n| a |\n|---|\n| ``\u2060` |\n```\n\n`a``\u2060`b`",
  ]);
  assert.deepEqual(slackMessages(`[x](https://e.test/${"a".repeat(5000)})`), ["x"]);
});

// A pattern that reads to the end from each of these would need hours; the test would run into its time limit.
test("an answer of nothing but marks does not stop the engine", { timeout: 60_000 }, async () => {
  for (const piece of ["[", "[a](https:", "[a](https:b", "`", "* ", "> ", "|", "<"]) {
    assert.ok(slackMessages(piece.repeat(200_000 / piece.length)).length <= 4);
    await setImmediate();
  }
});
