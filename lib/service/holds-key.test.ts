import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { holdsKey } from "./holds-key.ts";

// Made up, and assembled here so that no scanner of this repository takes one for real.
const random = "9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pS";

test("a line holds a key wherever it stands, also after names with the same beginning", () => {
  assert.ok(holdsKey(`key: sk-${random}`));
  assert.ok(holdsKey(`sk-fading-circle-of-a-page, sk- sk-${random}`));
  assert.ok(holdsKey(`${"sk-".repeat(10_000)} sk-${random}`));
  assert.ok(holdsKey(`-----BEGIN RSA ${"PRIVATE"} KEY-----`));
  assert.ok(holdsKey(`"one\\nsk-${random}"`));
  assert.ok(holdsKey(`"\\x1b[31msk-${random}"`));
  assert.ok(!holdsKey("sk-fading-circle-of-a-page, a task-1234567890123456789"));
});

// Looking at all that follows from each beginning would need many minutes; the test would run into its time limit.
test("a line of nothing but beginnings of keys does not stop the engine", { timeout: 60_000 }, async () => {
  for (const piece of ["sk-", "glpat-", "SG.", "hooks.slack.com/services/"]) {
    assert.equal(holdsKey(piece.repeat(20_000_000 / piece.length)), false);
    await setImmediate();
  }
});
