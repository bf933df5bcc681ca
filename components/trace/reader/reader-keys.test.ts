import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, range, startReading } from "./reading.fixture.ts";

test("a key pressed during a lookup counts from what is in view, not from the target of an older jump", async () => {
  const { reader, list } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  list.shown.isServerAsked = true;
  reader.goToSeq(900);
  list.shown.isSlow = false;
  reader.step(1);
  assert.deepEqual(list.news(), ["0 start", "focus 0"]);
  list.lookups[0]?.resolve({ index: 899, isShown: true });
  await answered();
  assert.deepEqual(list.news(), []);
});

test("keys pressed while a card is loading count from that card", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  reader.step(1);
  reader.step(1);
  pass(100);
  assert.deepEqual(list.news(), ["501 start", "focus 501"]);
});

test("the first step goes to the first card in view, the next one to the card after it", () => {
  const { reader, list } = startReading();
  list.top = 20;
  reader.step(1);
  reader.step(1);
  assert.deepEqual(list.news(), ["20 start", "focus 20", "21 start", "focus 21"]);
});

test("a step back goes above the view if no card is focused", () => {
  const { reader, list } = startReading();
  list.top = 20;
  reader.step(-1);
  assert.deepEqual(list.news(), ["19 start", "focus 19"]);
});

test("steps count from the focused card while it is in view", () => {
  const { reader, list } = startReading();
  list.top = 20;
  list.focused = 23;
  reader.step(1);
  assert.deepEqual(list.news(), ["24 start", "focus 24"]);
  list.top = 300;
  reader.step(1);
  assert.deepEqual(list.news(), ["300 start", "focus 300"]);
});

test("after scrolling away from a target, steps count from what is in view", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500);
  list.top = 20;
  list.news();
  reader.step(1);
  assert.deepEqual(list.news(), ["20 start", "focus 20"]);
});

test("steps skip what a folded group hides, in both directions", () => {
  const { reader, list } = startReading({ list: { folded: [[21, 24]] } });
  list.top = 20;
  list.focused = 21;
  reader.step(1);
  assert.deepEqual(list.news(), ["25 start", "focus 25"]);
  list.focused = 25;
  reader.step(-1);
  assert.deepEqual(list.news(), ["21 start", "focus 21"]);
});

test("there is no step before the first card, and the last one is the end of the list", () => {
  const { reader, list } = startReading({ list: { seqs: range(1, 3) } });
  reader.step(-1);
  reader.toEdge("last");
  reader.step(1);
  assert.deepEqual(list.news(), ["0 start", "focus 0", "end", "focus 2", "end", "focus 2"]);
});

test("no key moves an empty list", async () => {
  const { reader, list } = startReading({ list: { seqs: [] } });
  reader.step(1);
  reader.step(-1);
  reader.toEdge("first");
  reader.toEdge("last");
  await reader.toError("next", list.findError);
  assert.deepEqual([list.news(), reader.here], [[], null]);
});

test("without a list no navigation goes anywhere", async () => {
  const { reader, list } = startReading({ list: null });
  reader.step(1);
  reader.showAround(5);
  reader.toEnd();
  reader.toEdge("last");
  reader.focus();
  await reader.toError("next", list.findError);
  assert.deepEqual([reader.here, reader.hasList, reader.visible], [null, false, { first: 1, last: 0 }]);
});

test("in another list keys do not count from a target in the previous one", () => {
  const { reader, show } = startReading();
  reader.goToSeq(3);
  const next = startReading().list;
  show(next);
  reader.step(1);
  assert.deepEqual(next.news(), ["0 start", "focus 0"]);
});

test("the next error is looked up after the card that keys act on, or from the first one in view", () => {
  const { reader, list } = startReading();
  list.top = 20;
  void reader.toError("next", list.findError);
  list.focused = 22;
  void reader.toError("next", list.findError);
  void reader.toError("previous", list.findError);
  assert.deepEqual(
    list.errors.map(({ seq, direction }) => [seq, direction]),
    [
      [20, "next"],
      [23, "next"],
      [23, "previous"],
    ],
  );
});

test("an error that is found is shown and focused", async () => {
  const { reader, list } = startReading();
  void reader.toError("next", list.findError);
  list.errors[0]?.resolve(700);
  await answered();
  assert.deepEqual(list.news(), ["699 start", "focus 699"]);
});

test("without an error the reader stays", async () => {
  const { reader, list } = startReading();
  void reader.toError("next", list.findError);
  list.errors[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("a reader who has moved while an error was looked up stays there", async () => {
  const elsewhere = {
    key: (reader: ReturnType<typeof startReading>["reader"]) => reader.step(1),
    jump: (reader: ReturnType<typeof startReading>["reader"]) => void reader.goToSeq(9),
    map: (reader: ReturnType<typeof startReading>["reader"]) => reader.showAround(9),
    end: (reader: ReturnType<typeof startReading>["reader"]) => reader.toEnd(),
  };
  for (const [name, go] of Object.entries(elsewhere)) {
    const { reader, list } = startReading();
    void reader.toError("next", list.findError);
    go(reader);
    list.news();
    list.errors[0]?.resolve(700);
    await answered();
    assert.deepEqual(list.news(), [], name);
  }
});

test("an error of a previous list moves nothing", async () => {
  const { reader, list, show } = startReading();
  void reader.toError("next", list.findError);
  const next = startReading().list;
  show(next);
  list.errors[0]?.resolve(700);
  await answered();
  assert.deepEqual([list.news(), next.news()], [[], []]);
});

test("a key held down goes to the first error answered, and only once", async () => {
  const { reader, list } = startReading();
  for (let press = 0; press < 3; press += 1) void reader.toError("next", list.findError);
  for (const lookup of list.errors) lookup.resolve(700);
  await answered();
  assert.deepEqual(list.news(), ["699 start", "focus 699"]);
});

test("keys act on no card while the one there is unknown", async () => {
  const { reader, list } = startReading({ list: { unknown: new Set(range(0, 10)) } });
  await reader.toError("next", list.findError);
  assert.deepEqual([reader.here, list.errors], [null, []]);
});

test("while the entries in view are loading, the reader's position is the last known", () => {
  const { reader, list } = startReading({ list: { unknown: new Set(range(300, 5)) } });
  list.top = 20;
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
  list.top = 300;
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
  list.top = 303;
  assert.deepEqual(reader.visible, { first: 306, last: 308 });
  list.shown.unknown.clear();
  list.top = 300;
  assert.deepEqual(reader.visible, { first: 301, last: 305 });
});

test("while another list is loading, the reader's position is the last known", () => {
  const { reader, list, remove, show } = startReading();
  list.top = 20;
  assert.equal(reader.visible.first, 21);
  remove();
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
  show(startReading({ list: { seqs: [] } }).list);
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
});
