import assert from "node:assert/strict";
import { test } from "node:test";
import { FeedPosition } from "./feed-position.ts";

const viewport = 800;

/** Screen position of an item's top. */
function screenTop(position: FeedPosition, index: number): number {
  return position.physicalTopOf(index) - position.scrollTop;
}

test("scrolling by small steps moves the content by exactly their length, even at the millionth item", () => {
  const position = new FeedPosition(1_000_000, () => 200, viewport);
  position.scrollToIndex(654_321, "start");
  for (const step of [100, 53, -100, 1_999, -1_500]) {
    const before = screenTop(position, 654_321);
    position.scrolled(position.scrollTop + step);
    assert.ok(Math.abs(before - screenTop(position, 654_321) - step) < 1e-6);
  }
});

test("dragging the thumb maps in proportion, and its ends are the first and the last item", () => {
  const position = new FeedPosition(1_000_000, () => 200, viewport);
  position.scrolled(position.physicalHeight / 2);
  assert.ok(Math.abs(position.range(0).first - 500_000) < 100);
  position.scrolled(position.physicalHeight);
  assert.equal(position.range(0).last, 999_999);
  assert.ok(position.isAtEnd);
  position.scrolled(0);
  assert.equal(position.range(0).first, 0);
  assert.equal(position.top, 0);
});

test("every item is reached by small steps, in both directions", () => {
  const position = new FeedPosition(100_000, () => 150, viewport);
  const seen = new Set<number>();
  const look = () => {
    const { first, last } = position.range(0);
    for (let index = first; index <= last; index++) seen.add(index);
  };
  look();
  for (let step = 0; !position.isAtEnd && step < 200_000; step++) {
    position.scrolled(position.scrollTop + 700);
    look();
  }
  assert.equal(seen.size, 100_000);
  for (let step = 0; position.top > 0 && step < 200_000; step++) position.scrolled(position.scrollTop - 700);
  assert.equal(position.top, 0);
});

test("measured heights above the view change the offset, not the scrollTop", () => {
  const position = new FeedPosition(1_000, () => 100, viewport);
  position.scrolled(1_500);
  const { first } = position.range(0);
  const [before, scrollTop] = [screenTop(position, first), position.scrollTop];
  position.change({}, (heights) => {
    for (let index = 0; index < first; index++) heights.set(index, 40 + (index % 90));
  });
  assert.equal(screenTop(position, first), before);
  assert.equal(position.scrollTop, scrollTop);
  position.syncThumb();
  assert.ok(Math.abs(screenTop(position, first) - before) < 1e-6, "moving the thumb to its place moves nothing either");
});

test("an item that grows above the fold keeps the first visible known item in place", () => {
  const position = new FeedPosition(100, () => 100, viewport);
  position.change({}, (heights) => {
    for (let index = 0; index < 30; index++) heights.set(index, 100);
  });
  position.scrolled(1_050);
  position.change({}, (heights) => heights.set(12, 900));
  assert.equal(screenTop(position, 10), -50);
  position.change({}, (heights) => heights.set(12, 100));
  assert.equal(screenTop(position, 10), -50);
});

test("closing a tall item from its lower part shows its top", () => {
  const position = new FeedPosition(100, () => 100, viewport);
  position.change({}, (heights) => heights.set(5, 5_000));
  position.scrolled(1_900);
  position.scrolled(3_500);
  position.change({}, (heights) => heights.set(5, 120));
  assert.equal(screenTop(position, 5), 0);
});

test("a reader at the end stays there while the list, its last item and its footer grow", () => {
  const position = new FeedPosition(500, () => 100, viewport);
  position.scrollToEnd();
  for (let count = 501; count < 700; count++) {
    position.resize(count);
    assert.ok(position.isAtEnd);
    position.change({ footer: count }, (heights) => heights.set(count - 1, 333));
    assert.ok(position.isAtEnd);
    assert.equal(position.scrollTop + viewport, position.physicalHeight);
  }
});

test("a reader one step above the end does not move while the list grows", () => {
  const position = new FeedPosition(500, () => 100, viewport);
  position.scrollToEnd();
  position.scrolled(position.scrollTop - 60);
  const before = screenTop(position, 495);
  position.resize(5_000);
  position.change({ footer: 300 });
  assert.equal(screenTop(position, 495), before);
  assert.equal(position.isAtEnd, false);
});

test("a list that grows out of its viewport is followed from the beginning", () => {
  const position = new FeedPosition(0, () => 100, viewport);
  for (let count = 1; count < 50; count++) position.resize(count);
  assert.ok(position.isAtEnd);
  position.follow = false;
  const still = new FeedPosition(0, () => 100, viewport);
  still.follow = false;
  still.resize(50);
  assert.equal(still.top, 0);
});

test("the target of a jump keeps its alignment while heights around it become known, until the reader scrolls", () => {
  const position = new FeedPosition(10_000, () => 100, viewport);
  position.scrollToIndex(5_000, "center");
  position.change({ header: 70 }, (heights) => {
    for (let index = 4_980; index < 5_010; index++) heights.set(index, 30 + (index % 50));
  });
  const middle = screenTop(position, 5_000) + position.heights.heightOf(5_000) / 2;
  assert.ok(Math.abs(middle - viewport / 2) < 1e-6);
  position.scrollToIndex(9_999, "end");
  assert.ok(position.isAtEnd);
  position.scrollToIndex(0, "start");
  assert.equal(screenTop(position, 0), -70, "rendering from item 0 on begins with the header");
  position.scrollToIndex(3, "nearest");
  assert.equal(position.range(0).first, 0);
});

test("an item opened by a reader at the end stays in place", () => {
  const position = new FeedPosition(50, () => 100, viewport);
  position.scrollToEnd();
  const before = screenTop(position, 49);
  position.releaseEnd();
  position.change({}, (heights) => heights.set(49, 2_000));
  position.settle();
  assert.equal(screenTop(position, 49), before);
  assert.equal(position.isAtEnd, false);
});

test("a list that grows while its reader presses something at the end moves once they let go, and not before", () => {
  const position = new FeedPosition(50, () => 100, viewport);
  position.scrollToEnd();
  const before = screenTop(position, 49);
  position.press();
  position.resize(52);
  position.change({ footer: 40 }, (heights) => heights.set(51, 300));
  assert.equal(screenTop(position, 49), before);
  position.letGo();
  assert.ok(position.isAtEnd);
  position.resize(60);
  assert.ok(position.isAtEnd, "and the end is followed again");
});

test("who opens or scrolls what they press, or has not followed the end, stays there when they let go", () => {
  const acts: ((position: FeedPosition) => void)[] = [
    (position) => position.releaseEnd(),
    (position) => position.scrolled(position.scrollTop - 100),
  ];
  for (const act of acts) {
    const position = new FeedPosition(50, () => 100, viewport);
    position.scrollToEnd();
    position.press();
    position.resize(55);
    act(position);
    const before = screenTop(position, 48);
    position.letGo();
    assert.equal(screenTop(position, 48), before);
  }
  const above = new FeedPosition(50, () => 100, viewport);
  above.press();
  above.letGo();
  assert.equal(above.top, 0);
});

test("the ends are reached by small steps even though heights were corrected on the way", () => {
  const position = new FeedPosition(300, () => 200, viewport);
  position.scrollToEnd();
  for (let step = 0; position.top > 0 && step < 20_000; step++) {
    position.scrolled(position.scrollTop - 120);
    const { first, last } = position.range(600);
    position.change({}, (heights) => {
      for (let index = first; index <= last; index++) heights.set(index, 30 + ((index * 37) % 400));
    });
  }
  assert.equal(position.top, 0);
  assert.equal(screenTop(position, 0), 0);
  position.syncThumb();
  assert.equal(position.scrollTop, 0);
});

test("when the viewport grows, a reader at the end stays at the end, and the browser's correction does not count as scrolling", () => {
  const position = new FeedPosition(50, () => 100, viewport);
  position.scrollToEnd();
  position.change({ viewport: viewport - 250 });
  position.change({ viewport });
  position.scrolled(position.physicalHeight - viewport);
  position.resize(60);
  assert.ok(position.isAtEnd);
});

test("a point within an item taller than the view is reached, and held while heights above it become known", () => {
  const position = new FeedPosition(1_000, () => 200, viewport);
  position.change({}, (heights) => heights.set(600, 180_000));
  position.scrollToIndex(600, "center", 90_000);
  assert.equal(screenTop(position, 600), viewport / 2 - 90_000);
  position.change({}, (heights) => heights.set(10, 1_000));
  assert.equal(screenTop(position, 600), viewport / 2 - 90_000);
  position.release();
  position.scrolled(position.scrollTop + 40);
  assert.equal(screenTop(position, 600), viewport / 2 - 90_040);
});

test("the target is known until the reader scrolls: at the end it is the last item", () => {
  const position = new FeedPosition(1_000, () => 100, 800);
  assert.equal(position.target, null);
  position.scrollToIndex(400, "center");
  assert.equal(position.target, 400);
  position.change({}, (heights) => heights.set(400, 300));
  assert.equal(position.target, 400);
  position.scrolled(position.scrollTop + 40);
  assert.equal(position.target, null);
  position.scrollToEnd();
  assert.equal(position.target, 999);
  position.resize(1_200);
  assert.equal(position.target, 1_199);
  position.follow = false;
  position.scrollToEnd();
  assert.equal(position.target, null);
  assert.equal(new FeedPosition(0, () => 100, 800).target, null);
});
