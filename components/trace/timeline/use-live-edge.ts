import { useState } from "react";
import { serverClock } from "#components/shell/server-clock.ts";
import { useClock } from "#components/shell/use-clock.ts";
import type { TimelineData } from "./timeline-data.ts";

/** Share of a live run's length kept free on the right; more is added once it is used up. */
const ROOM = 0.12;
/** Free space that has become far too large is recomputed. */
const ROOM_MAX = 0.5;

/**
 * Current time of a live run (null for others), and the end of the chart. The end leaves room for growth, so that the drawing
 * does not move every second.
 */
export function useLiveEdge(
  data: TimelineData | undefined,
  answeredAt: number,
): { nowMs: number | null; endMs: number } {
  const isLive = data?.isLive ?? false;
  const clock = useClock((now) => (isLive ? now : 0), isLive);
  const [endMs, setEndMs] = useState(0);
  if (data === undefined) return { nowMs: null, endMs: 0 };
  if (!isLive) return { nowMs: null, endMs: data.run.to };
  // By the server's clock: its time when it responded, plus the time passed here since.
  const nowMs = Math.max(data.run.to, data.run.to + clock - serverClock.at(answeredAt));
  const length = Math.max(1000, nowMs - data.run.from);
  const wanted = nowMs + length * ROOM;
  if (endMs < nowMs || endMs > nowMs + length * ROOM_MAX) setEndMs(wanted);
  return { nowMs, endMs: endMs < nowMs ? wanted : endMs };
}
