import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf } from "./plan.ts";

test("a checklist tells what is done, under way and open", () => {
  assert.deepEqual(planOf("- [x] one\n- [ ] two (in progress)\n\n* [ ] three\n"), [
    { id: 0, text: "one", state: "done" },
    { id: 1, text: "two", state: "active" },
    { id: 2, text: "three", state: "open" },
  ]);
});

test("what is not a checklist throughout stays text", () => {
  assert.equal(planOf("First:\n- [x] one"), null);
  assert.equal(planOf(""), null);
});
