"use client";

import { Clock } from "lucide-react";
import { useMemo, useState } from "react";
import { Loading } from "#components/shell/loading.tsx";
import { useSeqOffset, useTrace } from "#components/trace/reader/trace-context.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { describeError } from "#lib/client/client-error.ts";
import type { RunTail } from "#lib/client/live/use-run-tail.ts";
import { Chart } from "./chart.tsx";
import type { Pointed } from "./chart-rows.ts";
import { describePointed } from "./describe-pointed.ts";
import { Legend } from "./legend.tsx";
import { distinguishableUses, labelsOfUses } from "./mark-looks.ts";
import { Overview } from "./overview.tsx";
import { rangeOf, stepPointed } from "./step-pointed.ts";
import { StepsTable } from "./steps-table.tsx";
import { allowed, centered, isWhole, panned, ShownTime, zoomed } from "./time-scale.ts";
import type { Range, TimelineData } from "./timeline-data.ts";
import { Toolbar } from "./toolbar.tsx";
import { useLiveEdge } from "./use-live-edge.ts";
import { useTimeView } from "./use-time-view.ts";
import { useTimeline } from "./use-timeline.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { summaryOf } from "./view-summary.ts";

export type TimelineViewProps = {
  tail: Pick<RunTail, "totalLogs" | "progress">;
  isShown: boolean;
};

/** Timeline of a run. */
export function TimelineView({ tail, isShown }: TimelineViewProps) {
  const { source } = useTrace();
  const [view, setView] = useTimeView();
  const [hidesIdle, setHidesIdle] = useState(false);
  const { totalLogs } = tail;
  const { whole, near, shown } = useTimeline({ source, view, skipIdle: hidesIdle, totalLogs, isShown });
  const answer = whole.data;
  if (totalLogs === 0) {
    return (
      <EmptyState
        icon={<Clock />}
        title="Nothing has happened yet"
        description="Steps will appear here at the time they happened, with what filled the time between them."
        className="flex-1"
      />
    );
  }
  if (answer === undefined || shown === null) {
    return whole.isError ? (
      <div className="flex-1 p-4">
        <ErrorAlert
          title="The timeline could not be loaded"
          {...describeError(whole.error)}
          onRetry={() => void whole.refetch()}
        />
      </div>
    ) : (
      <Loading label="Loading the timeline" className="flex-1" />
    );
  }
  return (
    <Shown
      {...{ answer, shown, view, setView, hidesIdle, setHidesIdle, tail, isShown }}
      answeredAt={whole.dataUpdatedAt}
      failure={near.isError && view !== null ? { error: near.error, retry: () => void near.refetch() } : null}
    />
  );
}

type ShownProps = TimelineViewProps & {
  /** The overview of the whole run, and the part in view. */
  answer: TimelineData;
  shown: TimelineData;
  answeredAt: number;
  view: Range | null;
  setView: (view: Range | null) => void;
  hidesIdle: boolean;
  setHidesIdle: (hides: boolean) => void;
  failure: { error: Error; retry: () => void } | null;
};

function Shown(props: ShownProps) {
  const { answer, shown, answeredAt, setView, hidesIdle, setHidesIdle, tail, isShown, failure } = props;
  const { startedAtMs, reader } = useTrace();
  const offset = useSeqOffset();
  const { nowMs, endMs } = useLiveEdge(answer, answeredAt);
  const { from } = answer.run;
  const whole = useMemo(() => ({ from, to: Math.max(endMs, from + 1) }), [from, endMs]);
  const time = useMemo(() => new ShownTime(hidesIdle ? answer.gaps : []), [hidesIdle, answer.gaps]);
  const view = useMemo(
    () => (props.view === null ? whole : allowed(props.view, whole, time)),
    [props.view, whole, time],
  );
  const showsWhole = isWhole(view, whole);
  const startedAt = startedAtMs !== null && startedAtMs >= from && startedAtMs <= answer.run.to ? startedAtMs : from;
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [said, setSaid] = useState("");
  const running = useRunning(tail, nowMs !== null);

  const show = (next: Range) => {
    const fitting = allowed(next, whole, time);
    setView(isWhole(fitting, whole) ? null : fitting);
  };
  const zoom = (times: number) => {
    const middle = pointed === null ? middleOf(view) : (rangeOf(pointed).from + rangeOf(pointed).to) / 2;
    show(zoomed(view, middle, times, whole, time));
  };
  const open = (target: Pointed) => {
    if (target.kind === "bar") return reader.open(target.bar.seq);
    const { from, to } = target.part;
    show({ from: from - (to - from), to: to + (to - from) });
  };
  useTimelineKeys({
    isShown,
    onZoom: zoom,
    onPan: (share) => show(panned(view, share, whole, time)),
    onReset: () => setView(null),
    onStep: (way) => {
      const next = stepPointed(shown, pointed, view, way);
      setPointed(next);
      if (next === null) return;
      const { title, facts } = describePointed(next, startedAt, offset);
      setSaid([title, ...facts].join(", "));
      const { from, to } = rangeOf(next);
      if (from < view.from || to > view.to) show(centered(view, (from + to) / 2, whole, time));
    },
    onOpen: () => {
      if (pointed !== null) open(pointed);
      return pointed !== null;
    },
    onHideIdle: () => setHidesIdle(!hidesIdle),
    onLeave: () => setPointed(null),
  });

  const common = { view, time, nowMs, whole };
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden" {...scrolledByKeyboard}>
      <div className="mx-auto grid max-w-[1400px] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4">
        <Toolbar
          {...{ view, whole, startedAt, hidesIdle }}
          isWhole={showsWhole}
          idleMs={answer.gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)}
          onHideIdle={setHidesIdle}
          onZoom={zoom}
          onReset={() => setView(null)}
        />
        <Overview {...common} data={answer} onView={show} />
        <Legend
          summary={summaryOf(shown.parts, view)}
          uses={distinguishableUses(answer.parts)}
          labels={labelsOfUses(answer.parts)}
        />
        {failure !== null && (
          <ErrorAlert
            title="This part could not be loaded in detail"
            {...describeError(failure.error)}
            onRetry={failure.retry}
          />
        )}
        <Chart
          {...common}
          {...{ startedAt, running, pointed }}
          data={shown}
          onPoint={setPointed}
          onView={show}
          onReset={() => setView(null)}
          onOpen={open}
        />
        <p id="timeline-keys" className="text-muted-foreground text-xs pointer-coarse:hidden">
          Drag to zoom in, Ctrl and the wheel to zoom, double-click to reset. Keys: + − 0 zoom, ← → move, j k select
          steps, Enter opens the step, h hides idle time, ? lists all shortcuts.
        </p>
        <StepsTable {...{ view, startedAt, pointed }} data={shown} onPoint={setPointed} onView={show} />
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </div>
  );
}

function middleOf({ from, to }: Range): number {
  return (from + to) / 2;
}

/** Running tools of a live run. */
function useRunning({ progress }: TimelineViewProps["tail"], isLive: boolean) {
  return useMemo(
    () =>
      isLive
        ? (progress?.tools ?? []).map(({ id, tool_name, started_at }) => ({
            id,
            toolName: tool_name,
            from: Date.parse(started_at),
          }))
        : [],
    [progress, isLive],
  );
}
