import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "#lib/contract/runs/run.ts";
import { pullChoicesOf } from "./pull-choices.ts";

function choices(pull: object | null, banned_at: string | null = null) {
  return pullChoicesOf({ pull_request: pull as Run["pull_request"], banned_at });
}

test("a pull request offers what its state allows", () => {
  const at = "2026-01-01T00:00:00.000Z";
  assert.deepEqual(choices(null), []);
  assert.deepEqual(choices({ number: null, state: "pushed", draft: false }), []);
  assert.deepEqual(choices({ number: 1, state: "open", draft: true }), ["ready_for_review", "closed", "ban"]);
  assert.deepEqual(choices({ number: 1, state: "open", draft: false }), ["draft", "closed", "ban"]);
  assert.deepEqual(choices({ number: 1, state: "open", draft: false }, at), ["draft", "closed", "unban"]);
  assert.deepEqual(choices({ number: 1, state: "closed", draft: false }), ["open"]);
  assert.deepEqual(choices({ number: 1, state: "closed", draft: false }, at), ["open", "unban"]);
  assert.deepEqual(choices({ number: 1, state: "merged", draft: false }, at), []);
});
