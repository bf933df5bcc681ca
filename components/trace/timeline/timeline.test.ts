import assert from "node:assert/strict";
import { test } from "node:test";
import { askedRange, composed } from "./asked-range.ts";
import { pointedAt, rowsOf } from "./chart-rows.ts";
import { distinguishableUses, labelsOfUses } from "./mark-looks.ts";
import { stepPointed } from "./step-pointed.ts";
import { allowed, centered, panned, ShownTime, TimeScale, VIEW_MS_MIN, zoomed } from "./time-scale.ts";
import { offsetLabel, sinceLabel, ticksOf } from "./time-ticks.ts";
import type { Bar, Part, TimelineData } from "./timeline-data.ts";
import { rowsOfParts, summaryOf } from "./view-summary.ts";
import { dragged, gripAt } from "./window-box.ts";

const hour = 3_600_000;
const whole = { from: 0, to: 10 * hour };
const all = new ShownTime([]);
const gaps = [
  { from: 2 * hour, to: 5 * hour },
  { from: 6 * hour, to: 8 * hour },
];
const awake = new ShownTime(gaps);

test("every position in a view is a moment whose position is the same, with or without hidden gaps", () => {
  for (const time of [all, awake]) {
    for (const view of [whole, { from: hour, to: 7 * hour }, { from: 3 * hour, to: 7.5 * hour }]) {
      const scale = new TimeScale(view, 1000, time);
      assert.ok(Math.abs(scale.xOf(view.from)) < 1e-6 && Math.abs(scale.xOf(view.to) - 1000) < 1e-6);
      for (let x = 1; x < 1000; x += 7) assert.ok(Math.abs(scale.xOf(scale.msAt(x)) - x) < 1e-3, `${x}`);
      let before = Number.NEGATIVE_INFINITY;
      for (let ms = view.from; ms <= view.to; ms += hour / 10) {
        assert.ok(scale.xOf(ms) >= before);
        before = scale.xOf(ms);
      }
    }
  }
});

test("a hidden gap takes the width of a mark, and the rest of the time is scaled evenly", () => {
  const scale = new TimeScale(whole, 1024, awake);
  const pxPerHour = scale.xOf(hour);
  assert.equal(pxPerHour, 200);
  assert.equal(scale.xOf(5 * hour) - scale.xOf(2 * hour), 12);
  assert.equal(scale.xOf(9 * hour) - scale.xOf(8 * hour), pxPerHour);
});

test("zooming keeps the moment under the pointer, never leaves the run, and stops at the shortest range", () => {
  for (const time of [all, awake]) {
    const closer = zoomed(whole, hour, 0.5, whole, time);
    const [before, after] = [new TimeScale(whole, 1000, time), new TimeScale(closer, 1000, time)];
    const share = (scale: TimeScale) =>
      (time.shownAt(hour) - time.shownAt(scale.view.from)) /
      (time.shownAt(scale.view.to) - time.shownAt(scale.view.from));
    assert.ok(Math.abs(share(before) - share(after)) < 1e-9);
    assert.deepEqual(zoomed(closer, hour, 100, whole, time), whole);
    assert.deepEqual(panned(closer, -5, whole, time).from, 0);
    assert.equal(panned(closer, 5, whole, time).to, whole.to);
    const least = zoomed(closer, hour, 1e-9, whole, time);
    assert.ok(least.to - least.from >= VIEW_MS_MIN && least.from <= hour && least.to >= hour);
  }
  assert.deepEqual(centered({ from: 0, to: hour }, 5 * hour, whole, all), { from: 4.5 * hour, to: 5.5 * hour });
  assert.deepEqual(allowed({ from: -5, to: 99 * hour }, whole, all), whole);
  assert.equal(allowed({ from: hour, to: hour }, whole, all).to - hour, VIEW_MS_MIN);
});

test("ticks are at round times, apart from each other, in view and outside hidden gaps", () => {
  for (const time of [all, awake]) {
    for (const length of [60, 5000, 90_000, 3 * hour, 10 * hour]) {
      const view = { from: hour + 1234, to: hour + 1234 + length };
      const ticks = ticksOf(new TimeScale(view, 1000, time), 777, 96);
      assert.ok(ticks.length > 0 && ticks.length <= 11, `${length}: ${ticks.length}`);
      ticks.forEach(({ x, ms, sinceMs }, index) => {
        assert.ok(x >= 0 && x <= 1000 && ms - 777 === sinceMs);
        assert.ok(index === 0 || x - (ticks[index - 1]?.x ?? 0) >= 86);
        assert.ok(time === all || gaps.every(({ from, to }) => ms <= from || ms >= to));
      });
    }
  }
});

test("a time since the start is as precise as its surroundings", () => {
  assert.deepEqual(
    [sinceLabel(0, 1000), sinceLabel(90_000, 1000), sinceLabel(-5000, 1000), sinceLabel(12_500, 500)],
    ["0", "1m 30s", "−5s", "12.5s"],
  );
  assert.equal(sinceLabel(hour + 5250, 50), "1h 0m 05.25s");
  assert.deepEqual([offsetLabel(hour + 61_234, hour), offsetLabel(61_234, 60_000)], ["1h 1m 1s", "1m 01.2s"]);
});

const bar = (seq: number, from: number, to: number, lane: number | null): Bar => ({
  seq,
  from,
  to,
  lane,
  message_type: lane === null ? "PLAN_EVALUATION" : "ACTION",
  tool_name: lane === null ? null : "shell",
  is_error: false,
});
const part = (from: number, to: number, steps = 1): Part => ({
  from,
  to,
  counts: steps === 0 ? {} : { ACTION: steps },
  errors: 0,
  tool_ms: to - from,
  thinking_ms: 0,
  waiting_ms: 0,
  idle_ms: 0,
  timed_calls: steps,
  first_seq: steps === 0 ? null : 1,
  last_seq: steps === 0 ? null : steps,
});
const data = (bars: Bar[] | null, parts: Part[] = []): TimelineData => ({
  from: 0,
  to: 1000,
  totalLogs: 10,
  run: { from: 0, to: 1000 },
  isLive: false,
  parts,
  turns: [],
  waits: [],
  gaps: [],
  bars,
});

test("the selected item is the bar on the lane under the pointer, a tick near it, or the part", () => {
  const bars = [bar(1, 100, 300, 0), bar(2, 150, 400, 1), bar(3, 500, 500, null)];
  const scale = new TimeScale({ from: 0, to: 1000 }, 1000, all);
  const { rows } = rowsOf(data(bars), 0);
  const tools = rows.find(({ id }) => id === "tools")?.top ?? 0;
  const marks = rows.find(({ id }) => id === "marks")?.top ?? 0;
  const seqAt = (x: number, y: number) => {
    const pointed = pointedAt({ x, y }, data(bars), rows, scale);
    return pointed?.kind === "bar" ? pointed.bar.seq : pointed;
  };
  assert.deepEqual([seqAt(200, tools + 5), seqAt(200, tools + 25), seqAt(302, tools + 5)], [1, 2, 1]);
  assert.deepEqual([seqAt(320, tools + 5), seqAt(503, marks + 5), seqAt(520, marks + 5)], [null, 3, null]);
  const dense = data(null, [part(0, 500), part(500, 1000)]);
  const steps = rowsOf(dense, 0).rows;
  const pointed = pointedAt({ x: 700, y: (steps.find(({ id }) => id === "steps")?.top ?? 0) + 5 }, dense, steps, scale);
  assert.equal(pointed?.kind === "part" && pointed.part.from, 500);
});

test("j and k go from step to step in order of time, starting in view", () => {
  const bars = [bar(1, 300, 400, 0), bar(2, 100, 200, 0), bar(3, 600, 700, 0)];
  const seq = (pointed: ReturnType<typeof stepPointed>) => (pointed?.kind === "bar" ? pointed.bar.seq : null);
  const first = stepPointed(data(bars), null, { from: 250, to: 1000 }, 1);
  assert.equal(seq(first), 1);
  assert.equal(seq(stepPointed(data(bars), first, { from: 250, to: 1000 }, 1)), 3);
  assert.equal(seq(stepPointed(data(bars), first, { from: 250, to: 1000 }, -1)), 2);
  assert.equal(seq(stepPointed(data(bars), null, { from: 0, to: 1000 }, -1)), 3);
  assert.equal(stepPointed(data([]), null, whole, 1), null);
});

test("nearby views request the same range, which contains them", () => {
  const run = { from: 0, to: 100 * hour };
  assert.equal(askedRange(run, run), null);
  for (let from = hour; from < 90 * hour; from += 777_777) {
    const view = { from, to: from + hour };
    const asked = askedRange(view, run);
    assert.ok(asked !== null && asked.from <= view.from && asked.to >= view.to);
    assert.ok(asked.to - asked.from < 2.5 * hour);
  }
  const one = askedRange({ from: 10 * hour, to: 11 * hour }, run);
  assert.deepEqual(askedRange({ from: 10 * hour + 1000, to: 11 * hour + 1000 }, run), one);
});

test("detail replaces the whole where it was requested, and totals still add up", () => {
  const coarse = data(null, [part(0, 500, 100), part(500, 1000, 100)]);
  const near = { ...data([bar(1, 250, 300, 0)], [part(250, 400, 7), part(400, 600, 3)]), from: 250, to: 600 };
  const shown = composed(coarse, near, { from: 260, to: 590 });
  assert.deepEqual(
    shown.parts.map(({ from, to }) => [from, to]),
    [
      [0, 250],
      [250, 400],
      [400, 600],
      [600, 1000],
    ],
  );
  assert.equal(shown.bars?.length, 1);
  assert.equal(composed(coarse, near, { from: 0, to: 1000 }).bars, null);
  assert.equal(composed(coarse, near, { from: 700, to: 900 }), coarse);
  assert.deepEqual(summaryOf(shown.parts, { from: 325, to: 500 }).spent.tool, 175);
  assert.deepEqual(
    rowsOfParts(coarse.parts, { from: 0, to: 1000 }, 1).map(({ from, to, steps }) => [from, to, steps]),
    [[0, 1000, 200]],
  );
});

test("the overview's window can be moved, resized and drawn again, and stays within the run", () => {
  const window = { from: 2 * hour, to: 4 * hour };
  const box = { left: 200, right: 400 };
  assert.deepEqual(
    [197, 300, 403, 500].map((x) => gripAt(x, box, 1000)),
    ["from", "window", "to", "new"],
  );
  assert.equal(gripAt(500, { left: 0, right: 1000 }, 1000), "new");
  assert.deepEqual(dragged("window", window, 3 * hour, 99 * hour, whole), { from: 8 * hour, to: 10 * hour });
  assert.deepEqual(dragged("from", window, 2 * hour, -hour, whole), { from: 0, to: 4 * hour });
  assert.deepEqual(dragged("to", window, 4 * hour, hour, whole), { from: 2 * hour, to: 2 * hour + VIEW_MS_MIN });
  assert.deepEqual(dragged("new", window, 6 * hour, 5 * hour, whole), { from: 5 * hour, to: 6 * hour });
});

test("without durations of tool calls, no time is attributed to a tool or the agent alone", () => {
  const untimed = { ...part(0, 100), tool_ms: 0, thinking_ms: 100, timed_calls: 0 };
  assert.deepEqual(distinguishableUses([untimed]), ["thinking", "waiting", "idle"]);
  assert.equal(labelsOfUses([untimed]).thinking, "Tools and agent");
  const { calls, timedCalls } = summaryOf([untimed, part(100, 200, 3)], { from: 0, to: 200 });
  assert.deepEqual([calls, timedCalls], [4, 3]);
  assert.equal(labelsOfUses([untimed, part(100, 200)]).thinking, "Agent");
  assert.equal(labelsOfUses([part(0, 100, 0)]).thinking, "Agent");
});
