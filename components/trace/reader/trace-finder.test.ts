import assert from "node:assert/strict";
import { test } from "node:test";
import { hitsOf, startFinding } from "./finding.fixture.ts";

test("typed text is searched for after a pause in typing, from the entry being read", () => {
  const { finder, list, pass } = startFinding();
  finder.call();
  list.top = 40;
  finder.type("e");
  finder.type("er");
  assert.equal(finder.snapshot.search, null);
  pass(60);
  assert.deepEqual(finder.snapshot.search, { q: "er", around: 41, filter: null });
});

test("pasted text is searched for at once", () => {
  const { finder, timers } = startFinding();
  finder.call();
  finder.type("error");
  assert.deepEqual([finder.snapshot.search?.q, timers.map(({ ms }) => ms)], ["error", [200]]);
});

test("Enter does not wait for the pause", () => {
  const { finder } = startFinding();
  finder.call();
  finder.type("e");
  void finder.step("next");
  assert.equal(finder.snapshot.search?.q, "e");
});

test("the reader goes to the first hit as soon as there is one: to the middle of the view, or not at all if it is in view", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found(hitsOf([], { complete: false }));
  assert.deepEqual(list.news(), []);
  found(hitsOf([500, 600], { complete: false }));
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
  finder.open("warning");
  found(hitsOf([501]));
  assert.deepEqual(list.news(), ["500 nearest", "focus none"]);
});

test("while the search continues and the run grows, the reader stays at their hit, whose rank is shown as soon as it is known", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found({ ...hitsOf([500], { complete: false, of: 1 }), skip: null });
  list.news();
  assert.equal(finder.rank, null);
  found(hitsOf([500, 600], { skip: 7, of: 12 }));
  list.grow(10);
  found(hitsOf([500, 600, 1005], { skip: 7, of: 13 }));
  assert.deepEqual([list.news(), finder.rank], [[], 7]);
});

test("more letters search on from the hit while it is in view, else from the entry being read", () => {
  const { finder, list, found, pass } = startFinding();
  finder.open("err");
  found(hitsOf([500]));
  finder.type("erro");
  pass(60);
  assert.equal(finder.snapshot.search?.around, 500);
  list.top = 20;
  finder.type("error");
  pass(60);
  assert.equal(finder.snapshot.search?.around, 21);
});

test("the same text again is the same search, and does not go back to its first hit", () => {
  const { finder, list, found, pass } = startFinding();
  finder.open("error");
  found(hitsOf([500, 600]));
  list.news();
  const { search } = finder.snapshot;
  finder.type("errors");
  finder.type("error");
  pass(60);
  finder.open("error");
  assert.ok(finder.snapshot.search === search);
  assert.deepEqual(list.news(), []);
});

test("an answer to another text is dropped", () => {
  const { finder, list } = startFinding();
  finder.open("error");
  const { search } = finder.snapshot;
  finder.open("warning");
  if (search !== null) finder.answered(search, hitsOf([500]), null);
  assert.deepEqual([finder.snapshot.found, list.news()], [null, []]);
});

test("text that cannot be searched for is cut or left out, and there is no search without text", () => {
  const { finder } = startFinding();
  finder.open(`${"x".repeat(300)}`);
  assert.equal(finder.snapshot.search?.q.length, 200);
  finder.open("a\u0000b");
  assert.equal(finder.snapshot.search?.q, "ab");
  finder.open("");
  assert.equal(finder.snapshot.search, null);
});

test("hits move nothing while the search is closed; opening it goes to the first", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  finder.close();
  found(hitsOf([500]));
  assert.deepEqual(list.news(), []);
  finder.open();
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("another filter is another search, from the hit shown", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found(hitsOf([500]));
  list.top = 20;
  list.news();
  const filter = { errors: "true" } as const;
  finder.setFilter(filter);
  assert.deepEqual(finder.snapshot.search, { q: "error", around: 500, filter });
  assert.deepEqual([finder.snapshot.found, finder.snapshot.cursor], [null, null]);
  finder.setFilter(filter);
  found(hitsOf([510]));
  assert.deepEqual(list.news(), ["509 center", "focus none"]);
});

test("the address has the text and the hit after a pause in typing, and closing removes them", () => {
  const { finder, found, written, pass, list } = startFinding();
  finder.open("error");
  found(hitsOf([500, 600]));
  void finder.step("next");
  pass(200);
  assert.deepEqual(written, [{ find: "error", entry: "600", how: "replace" }]);
  finder.close();
  pass(200);
  assert.deepEqual(written.at(-1), { find: null, how: "replace" });
  list.news();
});

test("an address with a text opens the search, one without closes it, and the search's own changes are not followed", () => {
  const finding = startFinding();
  const { finder, found, address, pass } = finding;
  address({ entry: null, find: "error" });
  assert.deepEqual([finder.snapshot.isOpen, finder.snapshot.search?.q], [true, "error"]);
  found(hitsOf([500]));
  pass(200);
  finder.type("warning");
  found(hitsOf([600]));
  pass(200);
  address({ entry: 600, find: "warning" });
  assert.equal(finder.snapshot.text, "warning");
  address({ entry: 600, find: null });
  assert.equal(finder.snapshot.isOpen, false);
});

test("a page that opens with a search starts it at its entry, and writes nothing until it goes somewhere", () => {
  const { finder, found, written, pass, list } = startFinding({ find: "error", entry: 40 });
  assert.deepEqual(finder.snapshot.search, { q: "error", around: 40, filter: null });
  pass(200);
  assert.deepEqual(written, []);
  found(hitsOf([40]));
  assert.deepEqual(list.news(), ["39 center", "focus none"]);
});

test("each press of the search key is counted, and the next typed text may replace the old one", () => {
  const { finder } = startFinding();
  finder.call("chosen");
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [1, true, "chosen"]);
  finder.type("x");
  assert.equal(finder.snapshot.isFresh, false);
  finder.call();
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [2, true, "x"]);
});

test("once the page is gone nothing is searched for or written", async () => {
  const { finder, found, asked, timers, stop } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  void finder.step("next");
  finder.type("errors");
  stop();
  assert.deepEqual([timers, asked[0]?.signal.aborted], [[], true]);
});

test("a place inside a card is brought to the middle of the view", () => {
  const { finder, list } = startFinding();
  finder.showPlace(500, 120);
  assert.deepEqual(list.news(), ["499 center 120px", "focus none"]);
});

test("the snapshot is the same object until something changes", () => {
  const { finder } = startFinding();
  const before = finder.snapshot;
  finder.setFilter(null);
  assert.ok(finder.snapshot === before);
  let told = 0;
  const stop = finder.subscribe(() => (told += 1));
  finder.close();
  stop();
  finder.open();
  assert.equal(told, 1);
});
