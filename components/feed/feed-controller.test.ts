import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { FeedController } from "./feed-controller.ts";
import { FeedPosition } from "./feed-position.ts";
import { replaceGlobals } from "./frames.fixture.ts";

const itemHeight = 100;

/** A scrolling element that behaves as in browsers: each layout clamps scrollTop to what can be scrolled. */
class Scroller extends EventTarget {
  readonly sizer = { style: { height: "0px" } };
  readonly content = { style: { top: "" } };
  readonly clientWidth = 800;
  clientHeight: number;
  #scrollTop = 0;

  constructor(clientHeight: number) {
    super();
    this.clientHeight = clientHeight;
  }

  get scrollTop(): number {
    this.scrollTop = this.#scrollTop;
    return this.#scrollTop;
  }

  set scrollTop(next: number) {
    this.#scrollTop = Math.max(0, Math.min(next, Number.parseFloat(this.sizer.style.height) - this.clientHeight));
  }
}

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** A list of `count` items with the reader at its end. */
function listAtEnd(t: TestContext, count: number) {
  replaceGlobals(t, {
    ResizeObserver: Observer,
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: () => {},
    document: { activeElement: null, body: null },
    HTMLElement: class {},
  });
  const position = new FeedPosition(count, () => itemHeight, 900);
  const controller = new FeedController(position, 0);
  const scroller = new Scroller(500);
  const element = scroller as unknown as HTMLElement;
  let items = { ...position.range(0), left: null };
  const stop = controller.connect(
    {
      scroller: element,
      sizer: scroller.sizer as unknown as HTMLElement,
      content: scroller.content as unknown as HTMLElement,
    },
    { onItems: (next) => Object.assign(items, next), onAtEnd: () => {} },
  );
  /** Commits the list with this many items and the requested ones rendered. */
  const commit = (next: number) => {
    controller.changed({ count: next, hasHeader: false, hasFooter: false });
    items = { ...position.range(0), left: null };
    controller.committed(items);
  };
  commit(count);
  controller.move((moved) => moved.scrollToEnd(), true);
  assert.ok(position.isAtEnd);
  return { position, scroller, commit, stop };
}

test("a reader at the end follows a new item even when the footer disappears in the same commit", (t) => {
  const { position, scroller, commit, stop } = listAtEnd(t, 40);
  scroller.clientHeight = 650;
  commit(41);
  assert.ok(position.isAtEnd, "the browser's own step back was taken for the reader's");
  assert.equal(scroller.scrollTop, 41 * itemHeight - 650);
  commit(60);
  assert.ok(position.isAtEnd);
  stop();
});

test("scrolling by the reader counts even when an item is added in the same commit", (t) => {
  const { position, scroller, commit, stop } = listAtEnd(t, 40);
  scroller.scrollTop -= 60;
  commit(41);
  assert.equal(position.isAtEnd, false);
  assert.equal(scroller.scrollTop, 40 * itemHeight - 500 - 60);
  commit(60);
  assert.equal(scroller.scrollTop, 40 * itemHeight - 500 - 60);
  stop();
});
