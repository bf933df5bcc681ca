import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSettled } from "#components/ui/use-settled.ts";
import { useReadAgain } from "#lib/client/live/use-read-again.ts";
import { timelineQuery } from "#lib/client/pages/timeline-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { askedRange, composed } from "./asked-range.ts";
import { type Range, readTimeline, type TimelineData } from "./timeline-data.ts";

/** A closer view is requested when the view has not moved for this long. */
const REST_MS = 80;
/** Interval between readings of a growing run, longer for long runs; and of a live run without new steps. */
const READ_AGAIN_MS = { least: 300, most: 2000 };
const LIVE_MS = 5000;

type TimelineOptions = {
  source: TraceSource;
  view: Range | null;
  skipIdle: boolean;
  totalLogs: number;
  isShown: boolean;
};

type Answer = UseQueryResult<TimelineData>;

/** The whole run, and the detail for the view: single steps if there are few. */
export function useTimeline({ source, view, skipIdle, totalLogs, isShown }: TimelineOptions): {
  whole: Answer;
  near: Answer;
  shown: TimelineData | null;
} {
  const enabled = isShown && totalLogs > 0;
  const whole = useQuery({ ...timelineQuery(source, null, { skipIdle }), select: readTimeline, enabled });
  const asked = view === null || whole.data === undefined ? null : askedRange(view, whole.data.run);
  const settled = useSettled(asked === null ? "" : `${asked.from} ${asked.to}`, REST_MS);
  const [from = 0, to = 0] = settled.split(" ").map(Number);
  const near = useQuery({
    ...timelineQuery(source, { from, to }, { skipIdle }),
    select: readTimeline,
    enabled: enabled && settled !== "",
  });
  useFollowed(whole, totalLogs, enabled);
  const touchesEnd = near.data !== undefined && whole.data !== undefined && near.data.to >= near.data.run.to;
  useFollowed(near, totalLogs, enabled && settled !== "" && touchesEnd);
  const closer = asked === null ? null : (near.data ?? null);
  const shown = useMemo(
    () => (whole.data === undefined ? null : composed(whole.data, closer, view ?? whole.data.run)),
    [whole.data, closer, view],
  );
  return { whole, near, shown };
}

function useFollowed(answer: Answer, totalLogs: number, enabled: boolean): void {
  const { data, isFetching, isError } = answer;
  const isBehind = data !== undefined && data.totalLogs < totalLogs;
  const isDue = enabled && data !== undefined && !isFetching && !isError && (isBehind || data.isLive);
  const pauseMs = isBehind ? Math.min(READ_AGAIN_MS.least + totalLogs / 20, READ_AGAIN_MS.most) : LIVE_MS;
  useReadAgain(answer, isDue, pauseMs);
}
