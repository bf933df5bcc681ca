import type { Timeline, TimelinePart, TimelineSpan } from "#lib/contract/logs/timeline.ts";

/** A range of time in ms since 1970. */
export type Range = { from: number; to: number };

/** Part of a timeline, with instants as numbers. */
export type Part = Range & Omit<TimelinePart, "from">;

/** A step of a timeline as a bar: `from` is when its tool started, `to` when it ended. */
export type Bar = Range & Pick<TimelineSpan, "seq" | "message_type" | "tool_name" | "is_error" | "lane">;

export type Turn = { number: number; from: number; to: number | null; status: string | null };

/** A timeline ready to be drawn: {@link Timeline} with numbers for instants. */
export type TimelineData = Range & {
  totalLogs: number;
  run: Range;
  /** `run.to` was the current time when the response was made, and moves on. */
  isLive: boolean;
  parts: Part[];
  turns: Turn[];
  waits: { from: number; to: number | null }[];
  gaps: Range[];
  bars: Bar[] | null;
};

/** Converts a response of the API once. */
export function readTimeline(timeline: Timeline): TimelineData {
  const to = Date.parse(timeline.to);
  const begins = timeline.parts.map(({ from }) => Date.parse(from));
  const stretch = <S extends { from: string; to: string | null }>(one: S) => ({
    ...one,
    from: Date.parse(one.from),
    to: one.to === null ? null : Date.parse(one.to),
  });
  return {
    from: Date.parse(timeline.from),
    to,
    totalLogs: timeline.total_logs,
    run: { from: Date.parse(timeline.run_from), to: Date.parse(timeline.run_to) },
    isLive: timeline.is_live,
    parts: timeline.parts.map((part, index) => ({ ...part, from: begins[index] ?? to, to: begins[index + 1] ?? to })),
    turns: timeline.turns.map(stretch),
    waits: timeline.waits.map(stretch),
    gaps: timeline.gaps.map(stretch).map((gap) => ({ from: gap.from, to: gap.to ?? to })),
    bars: timeline.spans?.map(barOf) ?? null,
  };
}

function barOf({ at, duration_ms, seq, message_type, tool_name, is_error, lane }: TimelineSpan): Bar {
  const to = Date.parse(at);
  return { seq, from: to - duration_ms, to, message_type, tool_name, is_error, lane };
}
