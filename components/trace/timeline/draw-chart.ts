import type { Tint } from "#components/canvas/pencil.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { tintOf } from "#components/trace/minimap/kind-tints.ts";
import type { ChartPencil } from "./chart-pencil.ts";
import { axisHeight, gapLabelsHeight, laneHeight, laneTop, type Pointed, type Row } from "./chart-rows.ts";
import { drawColumns, drawSpent } from "./draw-parts.ts";
import { barKinds, barLookOf, errorTint, runningLook } from "./mark-looks.ts";
import type { TimeScale } from "./time-scale.ts";
import { clockLabel, ticksOf } from "./time-ticks.ts";
import type { Bar, TimelineData, Turn } from "./timeline-data.ts";

/** A running tool. */
export type Running = { id: string; toolName: string; from: number };

export type ChartDrawing = {
  data: TimelineData;
  rows: readonly Row[];
  height: number;
  scale: TimeScale;
  /** Origin of times since the start. */
  startedAt: number;
  running: readonly Running[];
  /** Now; null if the run has ended. */
  nowMs: number | null;
  pointed: Pointed | null;
};

const muted: Tint = { token: "--muted-foreground", alpha: 1 };
const faint: Tint = { token: "--muted-foreground", alpha: 0.8 };
const line: Tint = { token: "--border", alpha: 1 };
const foreground: Tint = { token: "--foreground", alpha: 1 };
const ring: Tint = { token: "--ring", alpha: 1 };
const now: Tint = { token: "--status-running", alpha: 1 };
/** Minimum width in px of anything drawn. */
const WIDTH_MIN = 2;
const BAR_INSET = 2;
const TICKS_APART = 96;

/** Draws a view of a run's time: the axis, then row by row. */
export function drawChart(pencil: ChartPencil, drawing: ChartDrawing): void {
  const { rows, height, scale, nowMs } = drawing;
  pencil.context.clearRect(0, 0, scale.width, height);
  drawAxis(pencil, drawing);
  for (const row of rows) drawRow(pencil, row, drawing);
  drawGaps(pencil, scale, height);
  for (const row of rows) drawCaption(pencil, row);
  if (nowMs !== null) pencil.fill(Math.round(scale.xOf(nowMs)), axisHeight - 6, 1, height - axisHeight, now);
}

/** Content of a row, and for bars the meaning of each weight. */
function drawCaption(pencil: ChartPencil, { id, caption, top }: Row): void {
  let x = 0;
  const write = (words: string) => {
    const width = pencil.widthOf(words);
    pencil.context.clearRect(x, top - 17, width + 10, 14);
    pencil.write(words, x, top - 10, muted);
    x += width + 10;
  };
  write(caption);
  if (id !== "tools") return;
  for (const { name, look } of barKinds) {
    pencil.context.clearRect(x, top - 17, 14, 14);
    pencil.fill(x, top - 14, 8, 8, look.fill);
    if (look.border !== null) pencil.outline(x, top - 14, 8, 8, look.border);
    x += 12;
    write(name);
  }
}

function drawAxis(pencil: ChartPencil, { scale, startedAt, height }: ChartDrawing): void {
  const shownMs = scale.time.shownAt(scale.view.to) - scale.time.shownAt(scale.view.from);
  let before: number | null = null;
  /** Start of the free space on a line of labels, in px. */
  const free = { since: 0, clock: 0 };
  const write = (line: keyof typeof free, words: string, left: number, y: number, tint: Tint, size: number) => {
    const width = pencil.widthOf(words, size);
    const start = Math.max(0, Math.min(left, scale.width - width));
    if (start < free[line]) return;
    pencil.write(words, start, y, tint, { size });
    free[line] = start + width + 8;
  };
  for (const { x, ms, label } of ticksOf(scale, startedAt, TICKS_APART)) {
    const left = Math.round(x);
    pencil.fill(left, axisHeight - 6, 1, height - axisHeight, line);
    const clock = clockLabel(ms, before, shownMs);
    before = ms;
    write("since", label, left, 8, foreground, 11);
    write("clock", clock, left, 22, faint, 10);
  }
}

function drawRow(pencil: ChartPencil, row: Row, { data, scale, running, nowMs, pointed }: ChartDrawing): void {
  const part = pointed?.kind === "part" ? pointed.part : null;
  const bars = data.bars ?? [];
  switch (row.id) {
    case "turns":
      for (const turn of data.turns) drawTurn(pencil, row, turn, scale, nowMs);
      break;
    case "spent":
      drawSpent(pencil, row, data.parts, scale, part);
      break;
    case "steps":
      drawColumns(pencil, row, data.parts, scale, part);
      break;
    case "marks":
      for (const bar of bars) if (bar.lane === null) drawTick(pencil, row, bar, scale, isPointed(pointed, bar));
      break;
    case "tools":
      for (const bar of bars) if (bar.lane !== null) drawBar(pencil, row, bar, scale, isPointed(pointed, bar));
      drawRunning(pencil, row, running, scale, nowMs);
      break;
  }
}

function isPointed(pointed: Pointed | null, { seq }: Bar): boolean {
  return pointed?.kind === "bar" && pointed.bar.seq === seq;
}

function boxOf(scale: TimeScale, from: number, to: number): { x: number; width: number } {
  const x = Math.max(-WIDTH_MIN, scale.xOf(from));
  return { x, width: Math.max(WIDTH_MIN, Math.min(scale.width + WIDTH_MIN, scale.xOf(to)) - x) };
}

function drawTurn(pencil: ChartPencil, { top, height }: Row, turn: Turn, scale: TimeScale, nowMs: number | null): void {
  const { x, width } = boxOf(scale, turn.from, turn.to ?? nowMs ?? scale.view.to);
  pencil.fill(x, top, width, height, { token: "--muted-foreground", alpha: 0.12 });
  pencil.fill(x, top, 2, height, muted);
  const left = Math.max(0, x) + 6;
  pencil.write(`Turn ${turn.number}`, left, top + height / 2, foreground, { widthMax: x + width - left - 4 });
}

/** Items without duration; their height shows their importance. */
function drawTick(pencil: ChartPencil, { top, height }: Row, bar: Bar, scale: TimeScale, pointed: boolean): void {
  const x = Math.round(scale.xOf(bar.to)) - 1;
  const isQuiet = !bar.is_error && bar.message_type === "PLAN_EVALUATION";
  const tall = isQuiet ? height * 0.55 : height;
  const tint = bar.is_error ? errorTint : tintOf(bar.message_type);
  pencil.fill(x, top + height - tall, 2, tall, tint);
  if (!isQuiet) pencil.fill(x - 2, top, 6, 4, tint);
  if (pointed) pencil.outline(x - 5, top - 3, 12, height + 6, ring, 2);
}

function drawBar(pencil: ChartPencil, { top }: Row, bar: Bar, scale: TimeScale, pointed: boolean): void {
  const { x, width } = boxOf(scale, bar.from, bar.to);
  // Failures extend beyond their lane, so that they are not marked by color alone.
  const inset = bar.is_error ? 0 : BAR_INSET;
  const y = top + laneTop(bar.lane ?? 0) + inset;
  const height = laneHeight - 2 * inset - 1;
  const { fill, text, border } = barLookOf(bar);
  pencil.fill(x, y, width, height, fill);
  if (border !== null) pencil.outline(x, y, width, height, border);
  const left = Math.max(0, x) + 5;
  const middle = y + height / 2 + 0.5;
  const end = x + width - 4;
  const cross = bar.is_error ? 13 : 0;
  if (bar.is_error) pencil.write("✕", left, middle, text, { widthMax: end - left });
  pencil.write(bar.tool_name ?? "Tool", left + cross, middle, text, { widthMax: end - left - cross });
  if (pointed) pencil.outline(x - 2, y - 2, width + 4, height + 4, ring, 2);
}

function drawRunning(
  pencil: ChartPencil,
  { top, height }: Row,
  running: readonly Running[],
  scale: TimeScale,
  nowMs: number | null,
): void {
  running.forEach(({ toolName, from }, index) => {
    const { x, width } = boxOf(scale, from, nowMs ?? from);
    const y = Math.max(top, top + height - (running.length - index) * laneHeight) + BAR_INSET;
    const { fill, text, border } = runningLook;
    pencil.fill(x, y, width, laneHeight - 2 * BAR_INSET - 1, fill);
    if (border !== null) pencil.outline(x, y, width, laneHeight - 2 * BAR_INSET - 1, border);
    const left = Math.max(0, x) + 5;
    pencil.write(toolName, left, y + laneHeight / 2 - BAR_INSET, text, { widthMax: x + width - left - 4 });
  });
}

/** Marks hidden gaps by dotted lines on both sides; below, the length of the hidden time if there is room. */
function drawGaps(pencil: ChartPencil, scale: TimeScale, height: number): void {
  const foot = height - gapLabelsHeight;
  let free = 0;
  for (const { from, to } of scale.gaps) {
    const left = Math.round(scale.xOf(from));
    const right = Math.round(scale.xOf(to));
    pencil.context.clearRect(left, axisHeight - 6, right - left, foot - axisHeight + 6);
    for (const x of [left, right - 1]) {
      for (let y = axisHeight - 6; y < foot; y += 4) pencil.fill(x, y, 1, 2, { ...faint, alpha: 0.5 });
    }
    const words = formatDuration(to - from);
    const width = pencil.widthOf(words, 10);
    const start = Math.max(0, Math.min((left + right - width) / 2, scale.width - width));
    if (start < free) continue;
    pencil.write(words, start, height - gapLabelsHeight / 2, faint, { size: 10 });
    free = start + width + 8;
  }
}
