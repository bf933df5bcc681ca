import assert from "node:assert/strict";
import { test } from "node:test";
import { editedOf, merged, newKey } from "./merged.ts";

test("what was edited stays, and the rest is what others saved meanwhile", () => {
  const base = { url: "https://a.example", events: ["run.finished"], enabled: true };
  const mine = { ...base, events: ["run.finished", "run.started"] };
  const theirs = { url: "https://b.example", events: ["run.finished"], enabled: false };
  assert.deepEqual(merged(mine, base, theirs), { ...theirs, events: mine.events });
  assert.deepEqual(merged({ ...base }, base, theirs), theirs);
  assert.deepEqual(merged({ ...base, url: "https://c.example" }, base, theirs).url, "https://c.example");
});

test("what was edited while it was being saved stays, and the rest is as it was saved, a sent password emptied", () => {
  const sent = { name: "Ada", rules: "Use spaces.", password: "secret" };
  const saved = { name: "Ada", rules: "Use spaces.", password: "" };
  assert.deepEqual(merged(sent, sent, saved), saved);
  assert.deepEqual(merged({ ...sent, rules: "Use tabs." }, sent, saved), { ...saved, rules: "Use tabs." });
  assert.deepEqual(merged({ ...sent, password: "typed since" }, sent, saved).password, "typed since");
});

test("rows are merged by their keys: edited and added ones of both stay, removed ones go unless they were edited", () => {
  const row = (key: string, text: string, more = "") => ({ key, text, more });
  const base = [row("a", "1"), row("b", "2"), row("c", "3"), row("d", "4")];
  const mine = [row("a", "1"), row("b", "mine"), row("d", "mine"), row(newKey(), "new")];
  const theirs = [row("a", "theirs"), row("b", "2", "theirs"), row("c", "3"), row("e", "theirs")];
  assert.deepEqual(
    merged(mine, base, theirs).map(({ text, more }) => [text, more]),
    [
      ["theirs", ""],
      ["mine", "theirs"],
      ["mine", ""],
      ["new", ""],
      ["theirs", ""],
    ],
  );
  assert.deepEqual(
    merged([], base, theirs).map(({ key }) => key),
    ["e"],
  );
  assert.deepEqual(merged(base, base, []), []);
  assert.notEqual(newKey(), newKey());
});

test("a row that was added, and edited while it was being saved, is there once", () => {
  const sent = [{ key: newKey(), name: " flaky", text: "1" }];
  const saved = [{ key: "flaky", name: "flaky", text: "1" }];
  const mine = sent.map((row) => ({ ...row, text: "2" }));
  assert.deepEqual(merged(mine, sent, saved), [{ key: "flaky", name: "flaky", text: "2" }]);
  // Somebody else added one of the same name.
  assert.deepEqual(merged(mine, [], saved), mine);
});

test("lists of other values and texts are replaced as a whole", () => {
  assert.deepEqual(merged<string[]>([], ["a"], ["a", "b"]), []);
  assert.deepEqual(merged(["a", "c"], ["a"], ["a", "b"]), ["a", "c"]);
  assert.equal(merged<string | null>(null, "a", "b"), null);
});

test("only the fields that differ count as edited", () => {
  assert.deepEqual(editedOf({ a: 1, b: ["x"], c: null }, { a: 1, b: ["x"], c: null }), {});
  assert.deepEqual(editedOf({ a: 2, b: ["x"], c: "" }, { a: 1, b: ["x"], c: "c" }), { a: 2, c: "" });
});
