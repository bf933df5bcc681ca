import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf } from "#lib/entry/plan.ts";
import { planChanges } from "./plan-changes.ts";

const changes = (before: string, after: string) => {
  const { added, finished, gone } = planChanges(planOf(before) ?? [], planOf(after) ?? []);
  return { added: [...added], finished: [...finished], gone };
};

test("a plan shows what was done, added and removed since the previous one", () => {
  assert.deepEqual(changes("- [ ] one\n- [x] two\n- [ ] three", "- [x] one\n- [x] two\n- [ ] four"), {
    added: [2],
    finished: [0],
    gone: ["three"],
  });
});

test("steps with the same words are told apart by their number, and moving one changes nothing", () => {
  assert.deepEqual(changes("- [ ] test\n- [ ] test\n- [x] end", "- [x] end\n- [x] test\n- [ ] test\n- [ ] test"), {
    added: [3],
    finished: [1],
    gone: [],
  });
});

test("a step in progress is the same step", () => {
  assert.deepEqual(changes("- [ ] one (in progress)", "- [x] one"), { added: [], finished: [0], gone: [] });
});

test("a step that failed or was given up is neither added nor dropped", () => {
  const before = "- [ ] npm test (in progress)\n- [ ] deploy\n- [ ] tell";
  const after = "- [x] npm test (failed, exit 1)\n- [ ] deploy (not run)\n- [ ] tell (cancelled)";
  assert.deepEqual(changes(before, after), { added: [], finished: [], gone: [] });
});
