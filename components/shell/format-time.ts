const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const units: readonly [ms: number, short: string][] = [
  [HOUR_MS, "h"],
  [MINUTE_MS, "m"],
  [SECOND_MS, "s"],
];

/** Up to this many days are shown in days: `in 90d`. */
const DAYS_AHEAD_MAX = 90;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Zone of days: the reader's, which only the browser knows, or UTC. */
export type Zone = "local" | "utc";

/**
 * Distance of `atMs` from `nowMs`: the last 24 hours in their largest whole unit (`12s ago`, `3h ago`), before that the day (`19
 * Nov`), the future rounded (`in 2d`, `in 30d` a minute after 30 days were set). Within five seconds it is `now`, so that
 * slightly different clocks never show the future.
 */
export function formatRelative(atMs: number, nowMs: number, zone: Zone): string {
  const apartMs = Math.abs(nowMs - atMs);
  if (apartMs < 5 * SECOND_MS) return "now";
  if (atMs > nowMs) return `in ${formatAhead(apartMs)}`;
  if (apartMs >= DAY_MS) return formatDay(atMs, nowMs, zone);
  const [unitMs, short] = units.find(([ms]) => apartMs >= ms) ?? [SECOND_MS, "s"];
  return `${Math.floor(apartMs / unitMs)}${short} ago`;
}

/** A day: `19 Nov`, or `19 Nov 2025` if `nowMs` is in another year. */
function formatDay(atMs: number, nowMs: number, zone: Zone): string {
  const at = wallClock(atMs, zone);
  const year = at.getUTCFullYear();
  const day = `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
  return year === wallClock(nowMs, zone).getUTCFullYear() ? day : `${day} ${year}`;
}

/** The date whose fields in UTC are what a clock in the zone shows. */
function wallClock(atMs: number, zone: Zone): Date {
  return new Date(zone === "utc" ? atMs : atMs - new Date(atMs).getTimezoneOffset() * MINUTE_MS);
}

/** Rounded in each unit in turn, so that it is never 60 minutes or 24 hours. */
function formatAhead(apartMs: number): string {
  const whole = (unitMs: number) => Math.round(apartMs / unitMs);
  if (whole(SECOND_MS) < 60) return `${whole(SECOND_MS)}s`;
  if (whole(MINUTE_MS) < 60) return `${whole(MINUTE_MS)}m`;
  if (whole(HOUR_MS) < 24) return `${whole(HOUR_MS)}h`;
  if (whole(DAY_MS) <= DAYS_AHEAD_MAX) return `${whole(DAY_MS)}d`;
  if (whole(30 * DAY_MS) < 12) return `${whole(30 * DAY_MS)}mo`;
  return `${whole(365 * DAY_MS)}y`;
}

/**
 * A duration in its two largest units: `840ms`, `8.7s`, `12s`, `1m 12s`, `2h 05m`, `3d 04h`. What has ended is shown with
 * `precise`; without it, for a clock that ticks, there are whole seconds only. A negative duration counts as none.
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
