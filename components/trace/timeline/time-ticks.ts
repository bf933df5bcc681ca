import type { TimeScale } from "./time-scale.ts";
import type { Range } from "./timeline-data.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between ticks, in ms: units that people count in. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY),
];

/** A tick: a round time since the start of the run. `sinceMs` may be below 0. */
export type Tick = { x: number; ms: number; sinceMs: number; label: string };

/** Ticks of a view at least `apart` px from each other, at round times since `start`. Never inside a hidden gap. */
export function ticksOf(scale: TimeScale, start: number, apart: number): Tick[] {
  const { view, width, time } = scale;
  const shown = Math.max(1, time.shownAt(view.to) - time.shownAt(view.from));
  const step = steps.find((length) => (length / shown) * width >= apart) ?? Math.ceil(shown / 365 / DAY) * 365 * DAY;
  const ticks: Tick[] = [];
  for (const stretch of stretchesBetween(view, time.gaps)) {
    for (let at = Math.ceil((stretch.from - start) / step) * step; start + at <= stretch.to; at += step) {
      const x = scale.xOf(start + at);
      const before = ticks.at(-1);
      if (before === undefined || x - before.x >= apart * 0.9) {
        ticks.push({ x, ms: start + at, sinceMs: at, label: sinceLabel(at, step) });
      }
    }
  }
  return ticks;
}

/** The rest of a range without gaps, some of which may extend beyond it. */
function stretchesBetween(range: Range, gaps: readonly Range[]): Range[] {
  const stretches: Range[] = [];
  let { from } = range;
  for (const gap of gaps) {
    if (gap.from > from) stretches.push({ from, to: Math.min(gap.from, range.to) });
    from = Math.max(from, gap.to);
    if (from >= range.to) return stretches;
  }
  return [...stretches, { from, to: range.to }];
}

/** A time since the start, as precise as ticks `step` apart require: `0`, `1m 30s`, `2h 05m`, `12.5s`, `3d`. */
export function sinceLabel(sinceMs: number, step: number): string {
  const sign = sinceMs < 0 ? "−" : "";
  const ms = Math.abs(sinceMs);
  if (ms === 0) return "0";
  if (step < SECOND) {
    const places = step >= 100 ? 1 : step >= 10 ? 2 : 3;
    const seconds = (ms % MINUTE) / SECOND;
    return ms < MINUTE
      ? `${sign}${seconds.toFixed(places)}s`
      : `${sign}${minutesLabel(ms)} ${seconds.toFixed(places).padStart(places + 3, "0")}s`;
  }
  const parts = [
    [Math.floor(ms / DAY), "d"],
    [Math.floor((ms % DAY) / HOUR), "h"],
    [Math.floor((ms % HOUR) / MINUTE), "m"],
    [Math.floor((ms % MINUTE) / SECOND), "s"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  return sign + shown.map(([count, unit]) => `${count}${unit}`).join(" ");
}

/** Time since the start, as precise as a view of `shownMs` needs. */
export function offsetLabel(sinceMs: number, shownMs: number): string {
  const unit = shownMs < 2 * SECOND ? 1 : shownMs < 2 * MINUTE ? 100 : shownMs < 6 * HOUR ? SECOND : MINUTE;
  return sinceLabel(Math.round(sinceMs / unit) * unit, unit);
}

function minutesLabel(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** Time of day of a tick in the reader's time zone: with seconds if ticks are that close, with the date on a new day. */
export function clockLabel(ms: number, before: number | null, shownMs: number): string {
  const date = new Date(ms);
  const seconds = shownMs < 20 * MINUTE;
  const time = date.toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
  });
  const isNewDay = before === null || new Date(before).toDateString() !== date.toDateString();
  if (!isNewDay) return time;
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return shownMs > 60 * DAY ? day : `${day} ${time}`;
}
