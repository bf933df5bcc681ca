import assert from "node:assert/strict";
import { test } from "node:test";
import { hitsOf, startFinding } from "./finding.fixture.ts";

test("what is typed is looked for when the keys rest, from what is read on", () => {
  const { finder, list, pass } = startFinding();
  finder.call();
  list.top = 40;
  finder.type("e");
  finder.type("er");
  assert.equal(finder.snapshot.search, null);
  pass(60);
  assert.deepEqual(finder.snapshot.search, { q: "er", around: 41, filter: null });
});

test("what is pasted is looked for at once", () => {
  const { finder, timers } = startFinding();
  finder.call();
  finder.type("error");
  assert.deepEqual([finder.snapshot.search?.q, timers.map(({ ms }) => ms)], ["error", [200]]);
});

test("Enter does not wait for the keys to rest", () => {
  const { finder } = startFinding();
  finder.call();
  finder.type("e");
  void finder.step("next");
  assert.equal(finder.snapshot.search?.q, "e");
});

test("the first hit is gone to as soon as there is one, in the middle of the view, or where it is when it is in view", () => {
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

test("while the search goes on and the run grows, who is at a hit stays there, and its rank is known once it is", () => {
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

test("more letters look on from the hit while it is in view, else from what is read", () => {
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

test("the same text again is the same search, and nobody is led back to its first hit", () => {
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

test("what is known of another text is of no use", () => {
  const { finder, list } = startFinding();
  finder.open("error");
  const { search } = finder.snapshot;
  finder.open("warning");
  if (search !== null) finder.answered(search, hitsOf([500]), null);
  assert.deepEqual([finder.snapshot.found, list.news()], [null, []]);
});

test("text that nobody can look for is cut or left out, and nothing is looked for while there is none", () => {
  const { finder } = startFinding();
  finder.open(`${"x".repeat(300)}`);
  assert.equal(finder.snapshot.search?.q.length, 200);
  finder.open("a\u0000b");
  assert.equal(finder.snapshot.search?.q, "ab");
  finder.open("");
  assert.equal(finder.snapshot.search, null);
});

test("nobody is led to what is found while the search is closed, and to the first hit once it is opened", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  finder.close();
  found(hitsOf([500]));
  assert.deepEqual(list.news(), []);
  finder.open();
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("another filter is another search, from the hit that was shown", () => {
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

test("what is looked for and the hit stand in the address once the keys rest, and closing takes them out", () => {
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

test("an address that asks for a text opens the search, one that asks for none closes it, and its own is not followed", () => {
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

test("a page that opens with a search looks for it from its entry on, and writes nothing until it leads somewhere", () => {
  const { finder, found, written, pass, list } = startFinding({ find: "error", entry: 40 });
  assert.deepEqual(finder.snapshot.search, { q: "error", around: 40, filter: null });
  pass(200);
  assert.deepEqual(written, []);
  found(hitsOf([40]));
  assert.deepEqual(list.news(), ["39 center", "focus none"]);
});

test("each call of a key is counted, and what is typed next may take the place of the text", () => {
  const { finder } = startFinding();
  finder.call("chosen");
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [1, true, "chosen"]);
  finder.type("x");
  assert.equal(finder.snapshot.isFresh, false);
  finder.call();
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [2, true, "x"]);
});

test("once the page is gone nothing is looked for or written any more", async () => {
  const { finder, found, asked, timers, stop } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  void finder.step("next");
  finder.type("errors");
  stop();
  assert.deepEqual([timers, asked[0]?.signal.aborted], [[], true]);
});

test("a place inside of a card is brought into the middle of the view", () => {
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
