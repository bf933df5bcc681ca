import assert from "node:assert/strict";
import { test } from "node:test";
import { rebased, unsavedText } from "./edits.ts";

test("what was edited stays, and the rest is what others saved meanwhile", () => {
  const start = { url: "https://a.example", events: ["run.finished"], isOn: true };
  const edited = { ...start, events: ["run.finished", "run.started"] };
  const now = { url: "https://b.example", events: ["run.finished"], isOn: false };
  assert.deepEqual(rebased(edited, start, now), { ...now, events: edited.events });
  assert.deepEqual(rebased({ ...start }, start, now), now);
  assert.deepEqual(rebased({ ...start, url: "https://c.example" }, start, now).url, "https://c.example");
});

test("a field is emptied after what it had was saved, unless something else was typed meanwhile", () => {
  const after = unsavedText("sent");
  assert.equal(after("sent"), "");
  assert.equal(after("typed since"), "typed since");
});
