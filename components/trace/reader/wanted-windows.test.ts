import assert from "node:assert/strict";
import { test } from "node:test";
import { windowSize } from "./log-windows.ts";
import { WantedWindows } from "./wanted-windows.ts";

/** A list of a million entries in windows, with a clock that the test controls. */
function startList({ count = 1_000_000, initial = [0] } = {}) {
  let nowMs = 10_000;
  let timer: (() => void) | null = null;
  let frame: (() => void) | null = null;
  const known = new Set(initial);
  const asked: number[] = [];
  const come = new Map<number, () => void>();
  const windows = new WantedWindows({
    ...{ count, initial },
    isKnown: (skip) => known.has(skip),
    ask: (skip) => {
      asked.push(skip);
      return new Promise<void>((resolve) => come.set(skip, resolve));
    },
    now: () => nowMs,
    schedule: (callback) => {
      timer = callback;
      return () => {
        timer = null;
      };
    },
    nextFrame: (callback) => {
      frame = callback;
      return () => {
        frame = null;
      };
    },
  });
  let told = 0;
  windows.subscribe(() => {
    told += 1;
  });
  return {
    ...{ windows, known, asked, come },
    told: () => told,
    waits: () => ({ timer: timer !== null, frame: frame !== null }),
    after: (ms: number) => {
      nowMs += ms;
    },
    /** A pause in scrolling, and then the next frame. */
    rest: () => {
      timer?.();
      frame?.();
      [timer, frame] = [null, null];
    },
  };
}

const at = (place: number) => ({ first: place, last: place + 5 });
const windowOf = (place: number) => Math.floor(place / windowSize) * windowSize;

test("the windows of the first screen are wanted at first, and stay the same array while nothing changes", () => {
  const { windows, told, rest } = startList({ initial: [0] });
  const { skips } = windows;
  windows.rendered({ first: 0, last: 5 });
  rest();
  assert.equal(windows.skips, skips);
  assert.equal(told(), 0);
});

test("windows scrolled past are not loaded, those at which scrolling pauses are", () => {
  const { windows, told, rest } = startList();
  windows.rendered(at(5_000));
  windows.rendered(at(9_000));
  assert.deepEqual([windows.skips, told()], [[0], 0]);
  rest();
  assert.ok(windows.skips.includes(windowOf(9_000)) && !windows.skips.includes(windowOf(5_000)));
  assert.equal(told(), 1);
});

test("after a pause the next frame is awaited: queued scroll events come before it", () => {
  const { windows, waits, rest } = startList();
  windows.rendered(at(5_000));
  assert.deepEqual(waits(), { timer: true, frame: false });
  rest();
  windows.rendered(at(9_000));
  assert.deepEqual(waits(), { timer: true, frame: false });
  assert.ok(windows.skips.includes(windowOf(5_000)));
});

test("loaded windows are shown at once", () => {
  const { windows, known, waits } = startList();
  for (let skip = 4_900; skip < 5_100; skip += windowSize) known.add(skip);
  windows.rendered(at(5_000));
  assert.ok(windows.skips.includes(5_000));
  assert.deepEqual(waits(), { timer: false, frame: false });
});

test("endless scrolling loads something every 200 ms", () => {
  const { windows, after } = startList();
  let place = 1_000;
  for (let frames = 0; frames < 12; frames += 1) {
    windows.rendered(at(place));
    place += 1_000;
    after(16);
  }
  assert.deepEqual(windows.skips, [0]);
  after(16);
  windows.rendered(at(place));
  assert.ok(windows.skips.includes(windowOf(place)));
  after(16);
  windows.rendered(at(place + 1_000));
  assert.ok(!windows.skips.includes(windowOf(place + 1_000)));
});

test("steady scrolling loads ahead in its direction, leaps do not", () => {
  const { windows, rest } = startList({ initial: [] });
  const wantedFrom = (before: number, now: number) => {
    windows.rendered(at(before));
    rest();
    windows.rendered(at(now));
    rest();
    return [Math.min(...windows.skips), Math.max(...windows.skips)];
  };
  assert.deepEqual(wantedFrom(5_000, 5_010), [5_000, windowOf(5_010 + 5 + 20 + 10)]);
  assert.deepEqual(wantedFrom(5_010, 5_000), [windowOf(5_000 - 20 - 10), windowOf(5_015)]);
  assert.deepEqual(wantedFrom(1_000, 5_000), [windowOf(4_990), windowOf(5_015)]);
});

test("a jump wants its windows at once, and requests them before they are rendered", () => {
  const { windows, asked, told, waits } = startList();
  windows.rendered(at(3_000));
  windows.jumped(at(7_000));
  assert.ok(windows.skips.includes(7_000) && asked.includes(7_000));
  assert.deepEqual([told(), waits()], [1, { timer: false, frame: false }]);
});

test("jumps in quick succession, as in a drag, request nothing until they pause", () => {
  const { windows, asked, after, rest } = startList();
  windows.jumped(at(1_000));
  asked.splice(0);
  for (const place of [2_000, 3_000, 4_000]) {
    after(16);
    windows.jumped(at(place));
    windows.rendered(at(place));
  }
  assert.equal(asked.length, 0);
  rest();
  assert.ok(windows.skips.includes(4_000));
  after(151);
  windows.jumped(at(9_000));
  assert.ok(asked.includes(9_000));
});

test("a prepared jump awaits its target, not the surroundings", async () => {
  const { windows, asked, come } = startList();
  let isThere = false;
  const ready = windows.prepare(5_026, { first: 5_020, last: 5_030 });
  void ready?.then(() => {
    isThere = true;
  });
  assert.deepEqual(asked, [5_000, 5_025]);
  come.get(5_000)?.();
  await Promise.resolve();
  assert.equal(isThere, false);
  come.get(5_025)?.();
  await ready;
  assert.equal(isThere, true);
});

test("with a loaded target nothing is awaited, and only missing windows around it are requested", () => {
  const { windows, asked, known } = startList();
  known.add(5_025);
  assert.equal(windows.prepare(5_026, { first: 5_020, last: 5_030 }), null);
  assert.deepEqual(asked, [5_000]);
  known.add(5_000);
  assert.equal(windows.prepare(5_026, { first: 5_020, last: 5_030 }), null);
});

test("a prepared jump counts as one jump, however soon it is made", () => {
  const { windows, after } = startList();
  void windows.prepare(5_000, { first: 4_998, last: 5_008 });
  after(20);
  windows.jumped(at(5_000));
  assert.ok(windows.skips.includes(5_000));
});

test("a second jump in quick succession is not awaited, and wants nothing until the pause", () => {
  const { windows, after, asked, rest } = startList();
  void windows.prepare(5_000, { first: 4_998, last: 5_008 });
  windows.jumped(at(5_000));
  after(30);
  asked.splice(0);
  assert.equal(windows.prepare(9_000, { first: 8_998, last: 9_008 }), null);
  windows.jumped(at(9_000));
  assert.deepEqual(asked, []);
  windows.rendered(at(9_000));
  rest();
  assert.ok(windows.skips.includes(9_000));
});

test("growth during a jump to the end: the new end is wanted, not the old one", () => {
  const { windows } = startList({ count: 100, initial: [75] });
  windows.count = 200;
  windows.jumped({ first: 192, last: 199 });
  assert.ok(windows.skips.includes(175));
  assert.ok(Math.max(...windows.skips) < 200);
});

test("a list that grows out of view keeps its windows, an empty one wants none", () => {
  const { windows, told, rest } = startList({ count: 50, initial: [0, 25] });
  windows.count = 5_000;
  windows.rendered({ first: 0, last: 30 });
  rest();
  assert.equal(told(), 0);
  const empty = startList({ count: 0, initial: [] });
  empty.windows.jumped({ first: 0, last: -1 });
  empty.windows.rendered({ first: 0, last: -1 });
  empty.rest();
  assert.deepEqual(empty.windows.skips, []);
});

test("once the list is gone nothing is wanted any more", () => {
  const { windows, rest } = startList();
  windows.rendered(at(5_000));
  windows.stop();
  rest();
  assert.deepEqual(windows.skips, [0]);
});
