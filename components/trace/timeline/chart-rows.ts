import type { TimeScale } from "./time-scale.ts";
import type { Bar, Part, TimelineData } from "./timeline-data.ts";

/** All in px. The axis is above the rows; a row begins with its label. */
export const axisHeight = 36;
export const captionHeight = 18;
export const laneHeight = 20;
const rowGap = 10;
/** Lengths of hidden gaps are shown below all rows. */
export const gapLabelsHeight = 14;
const turnsHeight = 18;
const spentHeight = 26;
const marksHeight = 22;
const columnsHeight = 112;
/** Calls on lower lanes are drawn on the last one. */
const LANES_MAX = 12;
/** Minimum width in px for selecting a bar with the pointer. */
const REACH = 3;
const TICK_REACH = 6;

/** A row of the chart: `top` is that of its content, below the label. */
export type Row = { id: "turns" | "spent" | "steps" | "marks" | "tools"; caption: string; top: number; height: number };

/** Rows of the chart, from top to bottom: single steps if they are known, otherwise their number. */
export function rowsOf(
  data: TimelineData,
  runningTools: number,
  hasHiddenGaps = false,
): { rows: Row[]; height: number } {
  const wanted: Omit<Row, "top">[] = [];
  if (data.turns.length > 0) wanted.push({ id: "turns", caption: "Turns", height: turnsHeight });
  wanted.push({ id: "spent", caption: "Where time went", height: spentHeight });
  if (data.bars === null) {
    wanted.push({ id: "steps", caption: "Steps", height: columnsHeight });
  } else {
    wanted.push({ id: "marks", caption: "Messages, thoughts, answers", height: marksHeight });
    wanted.push({ id: "tools", caption: "Tool calls", height: lanesOf(data.bars, runningTools) * laneHeight });
  }
  let top = axisHeight;
  const rows = wanted.map((row) => {
    const placed = { ...row, top: top + captionHeight };
    top = placed.top + row.height + rowGap;
    return placed;
  });
  return { rows, height: top + (hasHiddenGaps ? gapLabelsHeight : 0) };
}

function lanesOf(bars: readonly Bar[], runningTools: number): number {
  const used = bars.reduce((most, { lane }) => Math.max(most, (lane ?? -1) + 1), 0);
  return Math.max(1, Math.min(LANES_MAX, used + runningTools));
}

/** Position of a lane in the tools row, in px from the top of the row. */
export function laneTop(lane: number): number {
  return Math.min(lane, LANES_MAX - 1) * laneHeight;
}

/** Item at a position of the chart: a step, or a part if steps are not shown separately; null for nothing. */
export type Pointed = { kind: "bar"; bar: Bar } | { kind: "part"; part: Part };

/** Item under or near a pointer position: the nearest one, preferring its own row. */
export function pointedAt(
  { x, y }: { x: number; y: number },
  data: TimelineData,
  rows: readonly Row[],
  scale: TimeScale,
): Pointed | null {
  const row = rows.find(({ top, height }) => y >= top - captionHeight && y < top + height + rowGap);
  if (row === undefined) return null;
  if (data.bars !== null && (row.id === "tools" || row.id === "marks")) {
    const bar = row.id === "tools" ? barAt(x, y - row.top, data.bars, scale) : tickAt(x, data.bars, scale);
    return bar === null ? null : { kind: "bar", bar };
  }
  if (row.id === "turns") return null;
  const ms = scale.msAt(x);
  const part = data.parts.find(({ from, to }) => ms >= from && ms < to);
  return part === undefined ? null : { kind: "part", part };
}

function barAt(x: number, y: number, bars: readonly Bar[], scale: TimeScale): Bar | null {
  return nearest(bars, ({ lane, from, to }) => {
    if (lane === null || y < laneTop(lane) || y >= laneTop(lane) + laneHeight) return Number.POSITIVE_INFINITY;
    const away = Math.max(scale.xOf(from) - x, x - scale.xOf(to), 0);
    return away <= REACH ? away : Number.POSITIVE_INFINITY;
  });
}

function tickAt(x: number, bars: readonly Bar[], scale: TimeScale): Bar | null {
  return nearest(bars, ({ lane, to }) => {
    const away = Math.abs(scale.xOf(to) - x);
    return lane === null && away <= TICK_REACH ? away : Number.POSITIVE_INFINITY;
  });
}

function nearest(bars: readonly Bar[], awayOf: (bar: Bar) => number): Bar | null {
  let found: { bar: Bar; away: number } | null = null;
  for (const bar of bars) {
    const away = awayOf(bar);
    if (away < (found?.away ?? Number.POSITIVE_INFINITY)) found = { bar, away };
  }
  return found?.bar ?? null;
}
