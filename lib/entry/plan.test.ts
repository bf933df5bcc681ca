import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf, planWindow } from "./plan.ts";

test("a checklist shows what is done, in progress and open", () => {
  assert.deepEqual(planOf("- [x] one\n- [ ] two (in progress)\n\n* [ ] three\n"), [
    { id: 0, text: "one", state: "done" },
    { id: 1, text: "two", state: "active" },
    { id: 2, text: "three", state: "open" },
  ]);
});

test("an abandoned step does not count as done", () => {
  const states = planOf("- [x] a (cancelled)\n- [ ] b (cancelled)\n- [x] c (not run, rejected)\n- [x] d")?.map(
    (step) => step.state,
  );
  assert.deepEqual(states, ["dropped", "dropped", "dropped", "done"]);
});

test("a plan's remark on how a step ended is a note: the step keeps its words", () => {
  assert.deepEqual(planOf("- [x] npm test (failed, exit 1)\n- [ ] deploy (not run, rejected)\n- [x] lint (failed)"), [
    { id: 0, text: "npm test", state: "failed", note: "failed, exit 1" },
    { id: 1, text: "deploy", state: "dropped", note: "not run, rejected" },
    { id: 2, text: "lint", state: "failed" },
  ]);
});

test("other words in brackets belong to the step", () => {
  assert.deepEqual(planOf("- [x] retry what failed (failed tests only?)\n- [x] write docs (in progress)"), [
    { id: 0, text: "retry what failed (failed tests only?)", state: "done" },
    { id: 1, text: "write docs (in progress)", state: "done" },
  ]);
});

test("text that is not a checklist throughout stays text", () => {
  assert.equal(planOf("First:\n- [x] one"), null);
  assert.equal(planOf(""), null);
});

test("a long plan is folded around the step in progress", () => {
  const plan = (active: number) =>
    planOf(
      Array.from(
        { length: 20 },
        (_, n) => `- [${n < active ? "x" : " "}] ${n}${n === active ? " (in progress)" : ""}`,
      ).join("\n"),
    ) ?? [];
  const shown = (active: number) => {
    const { steps, before, after } = planWindow(plan(active));
    return [before, steps.map(({ text }) => text).join(" "), after];
  };
  assert.deepEqual(shown(0), [0, "0 1 2 3 4 5", 14]);
  assert.deepEqual(shown(9), [7, "7 8 9 10 11 12", 7]);
  assert.deepEqual(shown(20), [14, "14 15 16 17 18 19", 0]);
  assert.equal(planWindow(plan(3).slice(0, 8)).steps.length, 8);
});
