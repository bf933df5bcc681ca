const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const units: readonly [ms: number, short: string][] = [
  [365 * DAY_MS, "y"],
  [30 * DAY_MS, "mo"],
  [DAY_MS, "d"],
  [HOUR_MS, "h"],
  [MINUTE_MS, "m"],
  [SECOND_MS, "s"],
];

/**
 * How far `atMs` is from `nowMs`, in its largest whole unit: `now`, `12s ago`, `3h ago`, `in 2d`.
 * Within five seconds it is `now`, so that clocks which differ a little never show the future.
 */
export function formatRelative(atMs: number, nowMs: number): string {
  const apartMs = Math.abs(nowMs - atMs);
  if (apartMs < 5 * SECOND_MS) return "now";
  const [unitMs, short] = units.find(([ms]) => apartMs >= ms) ?? [SECOND_MS, "s"];
  const text = `${Math.floor(apartMs / unitMs)}${short}`;
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/**
 * A length of time in its two largest units: `840ms`, `12s`, `1m 12s`, `2h 05m`, `3d 04h`.
 * Below a second milliseconds are shown only with `precise`; a negative length is none.
 */
export function formatDuration(lengthMs: number, { precise = false } = {}): string {
  const ms = Math.max(0, lengthMs);
  if (precise && ms < SECOND_MS) return `${Math.round(ms)}ms`;
  if (ms < MINUTE_MS) return precise && ms < 10 * SECOND_MS ? `${oneDecimal(ms)}s` : `${Math.floor(ms / SECOND_MS)}s`;
  if (ms < HOUR_MS) return pair(ms, MINUTE_MS, "m", SECOND_MS, "s");
  if (ms < DAY_MS) return pair(ms, HOUR_MS, "h", MINUTE_MS, "m");
  return pair(ms, DAY_MS, "d", HOUR_MS, "h");
}

function oneDecimal(ms: number): string {
  return (Math.floor(ms / 100) / 10).toFixed(1);
}

function pair(ms: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const rest = Math.floor((ms % largeMs) / smallMs);
  return `${Math.floor(ms / largeMs)}${large} ${String(rest).padStart(2, "0")}${small}`;
}
