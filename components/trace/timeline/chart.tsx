import { useCallback, useMemo, useRef } from "react";
import { Canvas } from "#components/canvas/canvas.tsx";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { useSize } from "#components/ui/use-size.ts";
import { ChartPencil } from "./chart-pencil.ts";
import { type Pointed, pointedAt, type Row, rowsOf } from "./chart-rows.ts";
import { describePointed } from "./describe-pointed.ts";
import { drawChart, type Running } from "./draw-chart.ts";
import { type ShownTime, TimeScale } from "./time-scale.ts";
import type { Range, TimelineData } from "./timeline-data.ts";
import { Tip } from "./tip.tsx";
import { type ChartGestures, useChartGestures } from "./use-chart-gestures.ts";

type ChartProps = Pick<ChartGestures, "onView" | "onReset" | "onOpen"> & {
  data: TimelineData;
  whole: Range;
  view: Range;
  time: ShownTime;
  startedAt: number;
  nowMs: number | null;
  running: readonly Running[];
  pointed: Pointed | null;
  onPoint: (pointed: Pointed | null) => void;
};

/**
 * Chart of a range of a run's time, operated by wheel, drag, touch and keys. The table below has the same content, and the
 * selected item is announced.
 */
export function Chart(props: ChartProps) {
  const { data, whole, view, time, startedAt, nowMs, running, pointed, onPoint } = props;
  const offset = useSeqOffset();
  const root = useRef<HTMLDivElement>(null);
  const width = Math.round(useSize(root).width);
  const scale = useMemo(() => new TimeScale(view, width, time), [view, width, time]);
  const hasHiddenGaps = scale.gaps.length > 0;
  const { rows, height } = useMemo(
    () => rowsOf(data, running.length, hasHiddenGaps),
    [data, running.length, hasHiddenGaps],
  );
  const draw = useCallback(
    (context: CanvasRenderingContext2D) =>
      drawChart(new ChartPencil(context), { data, rows, height, scale, startedAt, running, nowMs, pointed }),
    [data, rows, height, scale, startedAt, running, nowMs, pointed],
  );
  const { selected, handlers } = useChartGestures(root, {
    ...props,
    scale,
    whole,
    pointAt: (x, y) => pointedAt({ x, y }, data, rows, scale),
  });
  return (
    <div
      ref={root}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles keys
      tabIndex={0}
      role="application"
      aria-roledescription="timeline"
      aria-label="The run's activity over time"
      aria-describedby="timeline-keys"
      data-lanes-top={rows.find(({ id }) => id === "tools")?.top}
      className="relative cursor-crosshair touch-pan-y select-none rounded-sm"
      style={{ minHeight: height }}
      onPointerLeave={() => onPoint(null)}
      {...handlers}
    >
      <Canvas {...{ width, height, draw }} />
      {selected !== null && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-y-0 border-ring border-x bg-ring/10"
          style={{ left: selected.left, width: selected.width }}
        />
      )}
      {pointed !== null && selected === null && (
        <Tip
          {...placeOf(pointed, scale, rows)}
          {...describePointed(pointed, startedAt, offset)}
          seq={pointed.kind === "bar" ? pointed.bar.seq : null}
          width={width}
        />
      )}
    </div>
  );
}

/** Position of an item's tip: below its row's top, at its middle. */
function placeOf(pointed: Pointed, scale: TimeScale, rows: readonly Row[]): { x: number; y: number } {
  const { from, to } = pointed.kind === "bar" ? pointed.bar : pointed.part;
  const id = pointed.kind === "part" ? "spent" : pointed.bar.lane === null ? "marks" : "tools";
  const row = rows.find((one) => one.id === id);
  const x = (Math.max(0, scale.xOf(from)) + Math.min(scale.width, scale.xOf(to))) / 2;
  return { x, y: row?.top ?? 0 };
}
