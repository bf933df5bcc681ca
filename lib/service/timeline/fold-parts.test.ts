import assert from "node:assert/strict";
import { test } from "node:test";
import { foldParts, kindCodes } from "./fold-parts.ts";
import { idleSpans, longestWithin } from "./gaps.ts";
import { lanesOf, placesIn } from "./lay-spans.ts";
import { partBounds } from "./part-bounds.ts";
import { regionsOf } from "./regions.ts";
import { at, beginOf, orderOf, type Span, type Steps } from "./steps.ts";
import { type SweptRun, sweep, useNames } from "./sweep.ts";

const idleMsMin = 40;

function stepsOf(entries: readonly { time: number; duration?: number; kind?: string }[]): Steps {
  const times = Float64Array.from(entries, ({ time }) => time);
  return {
    firstSeq: 1,
    count: entries.length,
    times,
    durations: Uint32Array.from(entries, ({ duration }) => duration ?? 0),
    kinds: Uint8Array.from(entries, ({ kind }) => (kind ?? "a").charCodeAt(0)),
    tools: new Uint16Array(entries.length),
    order: orderOf(times, entries.length),
  };
}

const sweptOf = (steps: Steps, run: Span, more: Partial<SweptRun> = {}): SweptRun => ({
  steps,
  run,
  regions: regionsOf(null, []),
  runningFrom: null,
  idleMsMin,
  ...more,
});

function partsOf(swept: SweptRun, bounds: Float64Array) {
  const folded = foldParts(swept.steps, sweep(swept), bounds);
  return Array.from({ length: bounds.length - 1 }, (_, part) => ({
    times: Object.fromEntries(useNames.map((use, column) => [use, at(folded.times, part * useNames.length + column)])),
    entries: folded.kinds.subarray(part * kindCodes, (part + 1) * kindCodes).reduce((sum, count) => sum + count, 0),
    first: folded.firsts[part],
    last: folded.lasts[part],
  }));
}

test("a tool call's time is its own, the rest of a turn is thinking, and a long silence is idle", () => {
  const steps = stepsOf([{ time: 10 }, { time: 50, duration: 30 }, { time: 60 }, { time: 200, duration: 20 }]);
  const [part] = partsOf(sweptOf(steps, { from: 0, to: 210 }), Float64Array.of(0, 210));
  assert.deepEqual(part, {
    times: { tool: 50, thinking: 10 + 10 + 10 + 10, waiting: 0, idle: 120 },
    entries: 4,
    first: 0,
    last: 3,
  });
});

test("a question counts as waiting while its tool is open, and time between turns is idle however short", () => {
  const steps = stepsOf([{ time: 5 }, { time: 50, duration: 40 }, { time: 95 }]);
  const regions = regionsOf(
    [
      { from: 0, to: 60 },
      { from: 70, to: 100 },
    ],
    [{ from: 15, to: 45 }],
  );
  const [part] = partsOf(sweptOf(steps, { from: 0, to: 100 }, { regions }), Float64Array.of(0, 100));
  assert.deepEqual(part?.times, { tool: 10, thinking: 10 + 10 + 30, waiting: 30, idle: 10 });
});

test("a range's edges cut what crosses them, and a call longer than its run begins with the run", () => {
  const steps = stepsOf([{ time: 20 }, { time: 90, duration: 4_000_000_000 }]);
  const swept = sweptOf(steps, { from: 10, to: 100 });
  assert.deepEqual(partsOf(swept, Float64Array.of(30, 40)), [
    { times: { tool: 10, thinking: 0, waiting: 0, idle: 0 }, entries: 0, first: -1, last: -1 },
  ]);
  const [whole] = partsOf(swept, Float64Array.of(0, 120));
  assert.deepEqual(whole?.times, { tool: 80, thinking: 10, waiting: 0, idle: 30 });
});

test("a running tool is at work until now", () => {
  const swept = sweptOf(stepsOf([{ time: 10 }]), { from: 0, to: 100 }, { runningFrom: 30 });
  const [part] = partsOf(swept, Float64Array.of(0, 100));
  assert.deepEqual(part?.times, { tool: 70, thinking: 30, waiting: 0, idle: 0 });
});

test("a run without length and a run without steps have one part", () => {
  const none = stepsOf([]);
  assert.deepEqual(partBounds({ from: 7, to: 7 }, 100, []), Float64Array.of(7, 7));
  const [empty] = partsOf(sweptOf(stepsOf([{ time: 7 }]), { from: 7, to: 7 }), Float64Array.of(7, 7));
  assert.deepEqual(empty, { times: { tool: 0, thinking: 0, waiting: 0, idle: 0 }, entries: 1, first: 0, last: 0 });
  const [waited] = partsOf(sweptOf(none, { from: 0, to: 30 }), Float64Array.of(0, 30));
  assert.deepEqual(waited?.times, { tool: 0, thinking: 30, waiting: 0, idle: 0 });
});

test("whatever the clocks say, parts contain each entry once, fill the range, and agree with a count by the millisecond", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomOf(seed);
    const length = 1 + Math.floor(random() * 400);
    const many = Math.floor(random() * 40);
    const isTidy = random() < 0.5;
    const times = Array.from({ length: many }, () => Math.floor(random() * (length + 1)));
    if (isTidy) times.sort((one, other) => one - other);
    const steps = stepsOf(
      times.map((time) => ({ time, duration: random() < 0.5 ? 0 : Math.floor(random() ** 4 * 500) })),
    );
    const stretch = (): Span => {
      const from = Math.floor(random() * length);
      return { from, to: from + Math.floor(random() * 120) };
    };
    const turns = random() < 0.4 ? null : Array.from({ length: 3 }, stretch);
    const waits = random() < 0.5 ? [] : [stretch(), stretch()];
    const runningFrom = random() < 0.2 ? Math.floor(random() * length) : null;
    const swept = sweptOf(steps, { from: 0, to: length }, { regions: regionsOf(turns, waits), runningFrom });
    const told = byMillisecond(swept, turns, waits);
    assert.deepEqual(sweptMilliseconds(swept), told, `seed ${seed}`);

    const range = { from: Math.floor(random() * length) - 20, to: Math.floor(length / 2 + random() * length) };
    if (range.from > range.to) range.to = range.from;
    const gaps = random() < 0.5 ? [] : longestWithin(idleSpans(sweep(swept)), range, { most: 3, lengthMin: idleMsMin });
    const bounds = partBounds(range, 1 + Math.floor(random() * 30), gaps);
    const parts = partsOf(swept, bounds);
    const inRange = times.filter((time) => time >= range.from && time <= range.to).length;
    assert.equal(sum(parts.map(({ entries }) => entries)), inRange, `seed ${seed}`);
    for (const [index, { times: spent, entries, first, last }] of parts.entries()) {
      const [from, to] = [at(bounds, index), at(bounds, index + 1)];
      assert.ok(from < to || (parts.length === 1 && from === to), `seed ${seed}`);
      assert.equal(sum(Object.values(spent)), to - from, `seed ${seed}`);
      const expected = { tool: 0, thinking: 0, waiting: 0, idle: 0 };
      for (let ms = from; ms < to; ms += 1) expected[told[ms] ?? "idle"] += 1;
      assert.deepEqual(spent, expected, `seed ${seed}`);
      const within = times.flatMap((time, place) =>
        time >= from && (time < to || (index === parts.length - 1 && time === to)) ? [place] : [],
      );
      assert.deepEqual([entries, first, last], [within.length, within[0] ?? -1, within.at(-1) ?? -1], `seed ${seed}`);
    }
  }
});

test("parts share the time that is not skipped equally, and each skipped gap is whole in one part", () => {
  const gaps = [
    { from: 100, to: 1100 },
    { from: 1150, to: 5000 },
  ];
  const bounds = partBounds({ from: 0, to: 5050 }, 4, gaps);
  assert.deepEqual([...bounds], [0, 50, 100, 1150, 5050]);
  const fine = partBounds({ from: 0, to: 5050 }, 100, gaps);
  for (const { from, to } of gaps) assert.ok(fine.every((bound) => bound <= from || bound >= to));
});

test("tool calls on one lane never overlap, and none takes a lane that it does not need", () => {
  const random = randomOf(5);
  const steps = stepsOf(
    Array.from({ length: 200 }, (_, index) => ({ time: index * 10, duration: Math.floor(random() * 60) })),
  );
  const places = placesIn(steps, { from: 500, to: 1500 }, 300) ?? [];
  assert.ok(places.length >= 101);
  assert.equal(placesIn(steps, { from: 500, to: 1500 }, 100), null);
  const lanes = lanesOf(steps, places);
  let most = 0;
  for (const one of places) {
    const others = places.filter(
      (other) => beginOf(steps, other) <= beginOf(steps, one) && at(steps.times, other) > beginOf(steps, one),
    );
    most = Math.max(most, others.length);
    for (const other of places) {
      if (one === other || lanes.get(one) !== lanes.get(other)) continue;
      assert.ok(at(steps.times, one) <= beginOf(steps, other) || at(steps.times, other) <= beginOf(steps, one));
    }
  }
  assert.ok(Math.max(...lanes.values()) < most);
});

type Use = (typeof useNames)[number];

/** How every millisecond was spent, determined one by one. */
function byMillisecond({ steps, run, runningFrom }: SweptRun, turns: Span[] | null, waits: Span[]): Use[] {
  const covers = (spans: readonly Span[], ms: number) => spans.some(({ from, to }) => from <= ms && ms < to);
  const busy = Array.from({ length: steps.count }, (_, place) => ({
    from: beginOf(steps, place),
    to: at(steps.times, place),
  }));
  if (runningFrom !== null) busy.push({ from: runningFrom, to: run.to });
  const ends = new Set(steps.times);
  const labels = Array.from({ length: run.to }, (_, ms) => {
    if (covers(waits, ms)) return "waiting";
    if (covers(busy, ms)) return "tool";
    return turns === null || covers(turns, ms) ? "free" : "outside";
  });
  const told: Use[] = [];
  for (let ms = 0; ms < labels.length; ) {
    const label = labels[ms];
    let end = ms + 1;
    while (end < labels.length && labels[end] === label && !(label === "free" && ends.has(end))) end += 1;
    const use = label === "free" ? (end - ms >= idleMsMin ? "idle" : "thinking") : label === "outside" ? "idle" : label;
    for (; ms < end; ms += 1) told.push(use as Use);
  }
  return told;
}

function sweptMilliseconds(swept: SweptRun): (Use | undefined)[] {
  const { count, froms, uses } = sweep(swept);
  const told: (Use | undefined)[] = [];
  let end = swept.run.to;
  for (let index = 0; index < count; index += 1) {
    for (let ms = at(froms, index); ms < end; ms += 1) told[ms] = useNames[at(uses, index)];
    end = at(froms, index);
  }
  return told;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
