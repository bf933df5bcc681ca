import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "#lib/contract/operations.ts";
import { changelog } from "./changelog.ts";

const described = operations.map(({ id }) => id);

test("the changelog names existing operations, in the order of the documentation, or says that they were removed", () => {
  const removed = changelog.filter(({ kind }) => kind === "removed").flatMap((change) => change.operations);
  for (const { id, operations: named } of changelog) {
    assert.ok(named.length > 0, id);
    const places = named.map((name) => described.indexOf(name));
    for (const name of named) assert.ok(described.includes(name) !== removed.includes(name), `${id}: ${name}`);
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      id,
    );
  }
});

test("entries of the changelog have unique anchors, valid days, newest first, and plain words", () => {
  assert.equal(new Set(changelog.map(({ id }) => id)).size, changelog.length);
  const days = changelog.map(({ date }) => date);
  assert.deepEqual(days, days.toSorted().toReversed());
  for (const { id, date, sunset, kind, words } of changelog) {
    assert.match(id, /^[a-z]+(?:-[a-z]+)*$/);
    for (const day of [date, ...(sunset === undefined ? [] : [sunset])]) {
      assert.equal(new Date(`${day}T00:00:00.000Z`).toISOString().slice(0, 10), day, id);
    }
    assert.equal(sunset !== undefined, kind === "deprecated", id);
    assert.match(words.replace(/`[^`]+`/g, "code"), /^[^<>*_`]*\.$/, id);
    assert.ok(words.length <= 200, id);
  }
});
