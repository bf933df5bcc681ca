import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { FocusWhenThere } from "./focus-when-there.ts";
import { holdFrames, replaceGlobals } from "./frames.fixture.ts";

/** A list whose items the test renders, and the page's focus. */
function startFocus(t: TestContext) {
  const frames = holdFrames(t);
  const page = { activeElement: {} as object, body: {} };
  replaceGlobals(t, { document: page });
  const items = new Map<string, { focus: () => void }>();
  const focused: number[] = [];
  const list = { querySelector: (selector: string) => items.get(/\d+/.exec(selector)?.[0] ?? "") ?? null };
  let root: object | null = list;
  const focus = new FocusWhenThere().from(page.activeElement as Element, () => root as Element | null);
  return {
    ...frames,
    ...{ page, list, focused, focus },
    render: (place: number) => items.set(String(place), { focus: () => focused.push(place) }),
    removeList: () => {
      root = null;
    },
  };
}

test("an item is focused as soon as it is rendered, and only the last one requested", (t) => {
  const { frame, render, focus, focused, isIdle } = startFocus(t);
  focus(7);
  frame();
  focus(9);
  frame();
  render(7);
  frame();
  assert.deepEqual(focused, []);
  render(9);
  frame();
  assert.deepEqual(focused, [9]);
  assert.ok(isIdle());
});

test("no item takes the focus that has moved elsewhere, but one takes it from the list or the page", (t) => {
  const { frame, render, focus, focused, page, list } = startFocus(t);
  render(7);
  for (const [element, takes] of [
    [{}, false],
    [list, true],
    [page.body, true],
  ] as const) {
    page.activeElement = element;
    focus(7);
    frame();
    assert.deepEqual(focused.splice(0), takes ? [7] : []);
  }
});

test("a request ends when it is cancelled, when the list is gone, and after two seconds", (t) => {
  const { frame, render, focus, focused, removeList, isIdle } = startFocus(t);
  focus(7);
  focus(null);
  assert.ok(isIdle());
  focus(7);
  frame(2001);
  assert.ok(isIdle());
  focus(7);
  removeList();
  render(7);
  frame();
  assert.ok(isIdle());
  assert.deepEqual(focused, []);
});
