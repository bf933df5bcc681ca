import assert from "node:assert/strict";
import { test } from "node:test";
import { range, startReading } from "./reading.fixture.ts";

test("the history keeps where the reader stops, not each place scrolled past", () => {
  const { history, scroll, pass, timers } = startReading();
  history.place = "start";
  scroll(100);
  scroll(200);
  assert.equal(timers.length, 1);
  pass(399);
  assert.deepEqual(history.kept, []);
  pass(400);
  assert.deepEqual(history.kept, [200]);
});

test("an entry of the history without a place gets one at once, so that leaving soon comes back there too", () => {
  const { history, scroll, pass } = startReading();
  scroll(100);
  assert.deepEqual(history.kept, [100]);
  scroll(200);
  assert.deepEqual(history.kept, [100]);
  pass(400);
  assert.deepEqual(history.kept, [100, 200]);
});

test("a place that the history already has is not written again", () => {
  const { history, scroll, pass } = startReading();
  scroll(100);
  scroll(100);
  pass(400);
  assert.deepEqual(history.kept, [100]);
});

test("the ends of the list are kept as ends, so that later entries are not missed", () => {
  const { reader, history, scroll, pass } = startReading();
  scroll(1);
  assert.equal(history.place, "start");
  scroll(996);
  reader.places.setAtEnd(true);
  pass(400);
  assert.equal(history.place, "end");
  reader.places.setAtEnd(false);
  pass(400);
  assert.equal(history.place, 996);
});

test("while the entries in view are loading, the place is the previous one", () => {
  const { list, history, scroll, pass } = startReading({ list: { unknown: new Set(range(500, 5)) } });
  scroll(100);
  scroll(501);
  pass(400);
  assert.deepEqual(history.kept, [100]);
  list.shown.unknown.clear();
  scroll(501);
  pass(400);
  assert.equal(history.place, 501);
});

test("while a filtered list is loading, its place is where the reader was in the previous list", () => {
  const { reader, remove, history, address, scroll } = startReading();
  scroll(300);
  remove();
  Object.assign(history, { place: null, filterKey: "errors=1" });
  address({ entry: null, filterKey: "errors=1" });
  reader.places.noteScroll();
  assert.equal(history.place, 300);
});

test("leaving the page while scrolling keeps the current place", () => {
  const { reader, history, scroll } = startReading();
  history.place = "start";
  scroll(100);
  reader.places.keep();
  assert.deepEqual(history.kept, [100]);
});

test("a page removed without having been left writes nothing into the next page's history", () => {
  const { reader, history, scroll, pass } = startReading();
  history.place = "start";
  scroll(100);
  reader.places.forget();
  pass(400);
  assert.deepEqual(history.kept, []);
});

test("a page on which nothing was in view keeps nothing", () => {
  const { reader, history } = startReading({ list: null });
  history.place = 5;
  reader.places.noteScroll();
  reader.places.keep();
  assert.deepEqual(history.kept, []);
});

test("changing the filter while scrolling comes back to where the reader was", () => {
  const { reader, history, written, scroll } = startReading();
  history.place = "start";
  scroll(100);
  reader.setFilter({ types: [], tools: [], isErrors: true, isProse: false, text: "" });
  assert.deepEqual([history.kept, written[0]?.how, written[0]?.filter?.isErrors], [[100], "push", true]);
});

test("going to a step from another tab comes back to where the reader was", () => {
  const { reader, history, scroll } = startReading();
  history.place = "start";
  scroll(100);
  reader.open(500);
  assert.deepEqual(history.kept, [100]);
});

test("a place in one list never goes into the history of the next one, not even late", () => {
  const { history, address, scroll, pass, timers } = startReading();
  history.place = "start";
  scroll(100);
  Object.assign(history, { place: 7, filterKey: "errors=1" });
  address({ entry: null, filterKey: "errors=1" });
  assert.equal(timers.length, 0);
  pass(400);
  assert.deepEqual([history.place, history.kept], [7, []]);
});

test("after going back, the older page does not get the place of the newer list, which is still shown", () => {
  const { history, scroll, pass } = startReading({ filterKey: "errors=1" });
  Object.assign(history, { place: null, filterKey: "" });
  scroll(100);
  pass(400);
  assert.deepEqual(history.kept, []);
});

test("a page opens where it is told to, and moves to the place in the history before the first paint", () => {
  const { reader, list, history } = startReading({ entry: 5 });
  history.place = 700;
  const first = reader.places.first({ entry: 5, filterKey: "" }, 5);
  assert.equal(first.start, 5);
  reader.restore(first);
  assert.deepEqual(list.news(), ["699 start"]);
});

test("an end kept in the history is restored as that end", () => {
  for (const [place, told] of [
    ["end", "end"],
    ["start", "0 start"],
  ] as const) {
    const { reader, list, history } = startReading();
    history.place = place;
    reader.restore(reader.places.first({ entry: 5, filterKey: "" }, 5));
    assert.deepEqual(list.news(), [told]);
  }
});

test("nothing moves if the history keeps the place that is shown", () => {
  const { reader, list, history } = startReading();
  const first = reader.places.first({ entry: 5, filterKey: "" }, 5);
  reader.restore(first);
  history.place = 5;
  reader.restore(first);
  assert.deepEqual(list.news(), []);
});

test("a filtered list, which the server does not render, opens at the place in the history", () => {
  const { reader, list, history } = startReading({ filterKey: "errors=1" });
  history.place = 700;
  const first = reader.places.first({ entry: null, filterKey: "errors=1" }, "start");
  assert.equal(first.start, 700);
  reader.restore(first);
  assert.deepEqual(list.news(), []);
});

const all = { entry: null, filterKey: "" };
const errors = { entry: null, filterKey: "errors=1" };

test("the same list stays the same object and keeps its start while its address changes", () => {
  const { reader, scroll } = startReading();
  const first = reader.places.first(all, "start");
  assert.equal(reader.places.next(first, all), first);
  scroll(300);
  assert.deepEqual(reader.places.next(first, { ...all, entry: 9 }), { ...all, entry: 9, start: "start" });
});

test("another list opens where the reader is", () => {
  const { reader, history, scroll } = startReading();
  const first = reader.places.first(all, "start");
  for (const [seq, start] of [
    [300, 300],
    [1, "start"],
  ] as const) {
    scroll(seq);
    // The filter creates a new history entry.
    history.place = null;
    assert.equal(reader.places.next(first, errors).start, start);
  }
});

test("another list opens where the reader left this entry of the history", () => {
  const { reader, history, scroll } = startReading();
  const first = reader.places.first(all, "start");
  scroll(300);
  history.place = 40;
  assert.equal(reader.places.next(first, { ...errors, entry: 9 }).start, 40);
});

test("another list opens at the entry that the address newly names, not at one it named before", () => {
  const { reader, history, scroll } = startReading({ entry: 5 });
  const first = reader.places.first({ ...all, entry: 5 }, 5);
  scroll(300);
  history.place = null;
  assert.equal(reader.places.next(first, { ...errors, entry: 5 }).start, 300);
  assert.equal(reader.places.next(first, { ...errors, entry: 700 }).start, 700);
});

test("an entry hidden by the filter and requested among all is where the list opens, whatever the history and the old address say", () => {
  const { reader, history, written, address } = startReading({ entry: 500, filterKey: "errors=1" });
  const first = reader.places.first({ ...errors, entry: 500 }, 500);
  reader.showAmongAll(500);
  assert.deepEqual(
    written.map(({ entry, filter, how }) => [entry, filter?.isErrors, how]),
    [["500", false, "push"]],
  );
  history.place = 40;
  const next = { ...all, entry: 500 };
  assert.equal(reader.places.next(first, next).start, 500);
  address(next);
  assert.deepEqual([...reader.snapshot.folding.revealed], [500]);
});

test("a discarded rendering does not affect the next one", () => {
  const { reader, scroll } = startReading({ entry: 500, filterKey: "errors=1" });
  const first = reader.places.first({ ...errors, entry: 500 }, 500);
  scroll(3);
  reader.showAmongAll(500);
  const next = { ...all, entry: 500 };
  assert.deepEqual(reader.places.next(first, next), reader.places.next(first, next));
  assert.equal(reader.places.next(first, next).start, 500);
});

test("a request to show an entry among all, given up by going back, does not affect a later filter", () => {
  const { reader, history, scroll } = startReading({ entry: 500, filterKey: "errors=1" });
  const first = reader.places.first({ ...errors, entry: 500 }, 500);
  reader.showAmongAll(700);
  history.place = null;
  scroll(30);
  history.place = null;
  assert.equal(reader.places.next(first, { entry: 500, filterKey: "type=ERROR" }).start, 30);
  assert.equal(reader.places.next(first, { entry: 500, filterKey: "" }).start, 30);
});

test("an entry shown among all is not where the list of all entries opens later", () => {
  const { reader, history, scroll, address } = startReading({ entry: 500, filterKey: "errors=1" });
  const filtered = reader.places.first({ ...errors, entry: 500 }, 500);
  reader.showAmongAll(500);
  const among = reader.places.next(filtered, { ...all, entry: 500 });
  assert.equal(among.start, 500);
  address({ ...all, entry: 500 });
  history.place = null;
  scroll(700);
  address({ ...errors, entry: 500 });
  const again = reader.places.next(among, { ...errors, entry: 500 });
  assert.equal(reader.places.next(again, { ...all, entry: 500 }).start, 700);
});
