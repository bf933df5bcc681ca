import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { inSlack } from "./slack-events.ts";

test("links of Markdown are Slack's, and nothing else notifies or links", () => {
  assert.equal(inSlack("<!channel> & [run 1](https://e.test/1)"), "&lt;!channel&gt; &amp; <https://e.test/1|run 1>");
  assert.equal(
    inSlack("[x] [a [b](http://e.test/2)\n[c\nd](https://e.test)"),
    "[x] [a <http://e.test/2|b>\n[c\nd](https://e.test)",
  );
});

// A pattern that reads to the end from each of these would need hours; the test would run into its time limit.
test("an answer of nothing but brackets does not stop the engine", { timeout: 60_000 }, async () => {
  for (const piece of ["[", "[a](https:", "[a](https:b"]) {
    const text = piece.repeat(200_000 / piece.length);
    assert.equal(inSlack(text), text);
    await setImmediate();
  }
});
