import assert from "node:assert/strict";
import { test } from "node:test";
import { forgejoDraft, gitlabDraft, markedTitle } from "./draft-title.ts";

test("a draft's title, with its mark, is not longer than its host allows", () => {
  assert.equal(markedTitle("Draft: [draft] one", gitlabDraft, true), "Draft: one");
  assert.equal(markedTitle("WIP: one", forgejoDraft, false), "one");
  const longest = "t".repeat(250);
  assert.equal(markedTitle(longest, forgejoDraft, true), `WIP: ${longest}`);
  assert.equal(markedTitle(longest, gitlabDraft, true), `Draft: ${"t".repeat(247)}…`);
});
