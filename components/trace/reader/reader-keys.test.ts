import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, range, startReading } from "./reading.fixture.ts";

test("a key that is pressed while the server is asked counts from what is seen, not from where an older jump was heading", async () => {
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

test("keys that are pressed while a card is on its way count from that card", () => {
  const { reader, list, pass } = startReading({ list: { isSlow: true } });
  reader.goToSeq(500);
  reader.step(1);
  reader.step(1);
  pass(100);
  assert.deepEqual(list.news(), ["501 start", "focus 501"]);
});

test("the first step goes to the first card in view, the next one on from it", () => {
  const { reader, list } = startReading();
  list.top = 20;
  reader.step(1);
  reader.step(1);
  assert.deepEqual(list.news(), ["20 start", "focus 20", "21 start", "focus 21"]);
});

test("a step back goes above the view where no card has the keyboard", () => {
  const { reader, list } = startReading();
  list.top = 20;
  reader.step(-1);
  assert.deepEqual(list.news(), ["19 start", "focus 19"]);
});

test("steps count from the card that has the keyboard while it is in view", () => {
  const { reader, list } = startReading();
  list.top = 20;
  list.focused = 23;
  reader.step(1);
  assert.deepEqual(list.news(), ["24 start", "focus 24"]);
  list.top = 300;
  reader.step(1);
  assert.deepEqual(list.news(), ["300 start", "focus 300"]);
});

test("who has scrolled away from where they were led counts from what they see", () => {
  const { reader, list } = startReading();
  reader.goToSeq(500);
  list.top = 20;
  list.news();
  reader.step(1);
  assert.deepEqual(list.news(), ["20 start", "focus 20"]);
});

test("steps pass over what a folded group hides, in both directions", () => {
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

test("an empty list is not moved by any key", async () => {
  const { reader, list } = startReading({ list: { seqs: [] } });
  reader.step(1);
  reader.step(-1);
  reader.toEdge("first");
  reader.toEdge("last");
  await reader.toError("next", list.findError);
  assert.deepEqual([list.news(), reader.here], [[], null]);
});

test("without a list every way leads nowhere", async () => {
  const { reader, list } = startReading({ list: null });
  reader.step(1);
  reader.pass(5);
  reader.toEnd();
  reader.toEdge("last");
  reader.focus();
  await reader.toError("next", list.findError);
  assert.deepEqual([reader.here, reader.hasList, reader.visible], [null, false, { first: 1, last: 0 }]);
});

test("in another list keys do not count from where the reader was led in the one before", () => {
  const { reader, show } = startReading();
  reader.goToSeq(3);
  const next = startReading().list;
  show(next);
  reader.step(1);
  assert.deepEqual(next.news(), ["0 start", "focus 0"]);
});

test("the next error is looked for after the card that keys speak of, or from the first one in view on", () => {
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

test("an error that is found is gone to and has the keyboard", async () => {
  const { reader, list } = startReading();
  void reader.toError("next", list.findError);
  list.errors[0]?.resolve(700);
  await answered();
  assert.deepEqual(list.news(), ["699 start", "focus 699"]);
});

test("where there is no error the reader stays", async () => {
  const { reader, list } = startReading();
  void reader.toError("next", list.findError);
  list.errors[0]?.resolve(null);
  await answered();
  assert.deepEqual(list.news(), []);
});

test("who has gone elsewhere while an error was looked up stays there", async () => {
  const elsewhere = {
    key: (reader: ReturnType<typeof startReading>["reader"]) => reader.step(1),
    jump: (reader: ReturnType<typeof startReading>["reader"]) => void reader.goToSeq(9),
    map: (reader: ReturnType<typeof startReading>["reader"]) => reader.pass(9),
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

test("an error of a list that has been left leads nowhere", async () => {
  const { reader, list, show } = startReading();
  void reader.toError("next", list.findError);
  const next = startReading().list;
  show(next);
  list.errors[0]?.resolve(700);
  await answered();
  assert.deepEqual([list.news(), next.news()], [[], []]);
});

test("a key that is held down goes to the first error that is answered, and not twice", async () => {
  const { reader, list } = startReading();
  for (let press = 0; press < 3; press += 1) void reader.toError("next", list.findError);
  for (const lookup of list.errors) lookup.resolve(700);
  await answered();
  assert.deepEqual(list.news(), ["699 start", "focus 699"]);
});

test("keys speak of no card while it is not known which stands there", async () => {
  const { reader, list } = startReading({ list: { unknown: new Set(range(0, 10)) } });
  await reader.toError("next", list.findError);
  assert.deepEqual([reader.here, list.errors], [null, []]);
});

test("while what has come into view is on its way, the reader is where they were", () => {
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

test("while another list is on its way, the reader is where they were", () => {
  const { reader, list, remove, show } = startReading();
  list.top = 20;
  assert.equal(reader.visible.first, 21);
  remove();
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
  show(startReading({ list: { seqs: [] } }).list);
  assert.deepEqual(reader.visible, { first: 21, last: 25 });
});
