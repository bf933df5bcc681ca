import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { FeedGestures } from "./feed-gestures.ts";
import { replaceGlobals } from "./frames.fixture.ts";

class Touched extends Event {
  /** The fingers that are still down. */
  readonly touches: readonly number[];

  constructor(type: string, touches: readonly number[]) {
    super(type);
    this.touches = touches;
  }
}

/** A list of items: what happens in an item reaches the list only while the item is in it. */
function startList(t: TestContext) {
  replaceGlobals(t, { TouchEvent: Touched });
  const nothing = () => {};
  const options = { isItem: () => false, onHome: nothing, onEnd: nothing, onPress: nothing, onLetGo: nothing };
  const gestures = new FeedGestures(options);
  const list = new EventTarget();
  gestures.listen(list as unknown as HTMLElement, new AbortController().signal);
  const send = (item: EventTarget, event: Touched, isInList = true) => {
    Object.defineProperty(event, "target", { value: item });
    item.dispatchEvent(event);
    if (isInList) list.dispatchEvent(event);
  };
  return { gestures, send, item: new EventTarget(), other: new EventTarget() };
}

test("a finger that is lifted after the item under it was replaced no longer touches the list", (t) => {
  const { gestures, send, item } = startList(t);
  send(item, new Touched("touchstart", [1]));
  assert.ok(gestures.isTouched);
  send(item, new Touched("touchend", []), false);
  assert.equal(gestures.isTouched, false);
});

test("the list is touched until the last finger is lifted or its touch is cancelled", (t) => {
  const { gestures, send, item, other } = startList(t);
  for (const place of [item, other]) {
    send(item, new Touched("touchstart", [1]));
    send(place, new Touched("touchstart", [1, 2]));
    send(item, new Touched("touchend", [2]), false);
    assert.ok(gestures.isTouched);
    send(place, new Touched("touchcancel", []), false);
    assert.equal(gestures.isTouched, false);
  }
});
