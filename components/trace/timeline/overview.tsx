import { type PointerEvent, useCallback, useMemo, useRef, useState } from "react";
import { Canvas } from "#components/canvas/canvas.tsx";
import { useSize } from "#components/ui/use-size.ts";
import { ChartPencil } from "./chart-pencil.ts";
import { drawOverview, overviewHeight } from "./draw-overview.ts";
import { type ShownTime, TimeScale } from "./time-scale.ts";
import type { Range, TimelineData } from "./timeline-data.ts";
import { dragged, type Grip, gripAt } from "./window-box.ts";

type OverviewProps = {
  data: TimelineData;
  whole: Range;
  view: Range;
  time: ShownTime;
  nowMs: number | null;
  onView: (view: Range) => void;
};

type Drag = { grip: Grip; was: Range; began: number; beganX: number };
/** A press that moves less than this, in px, is a click: the window is moved there. */
const CLICK_PX = 4;
const cursors: Record<Grip, string> = { from: "ew-resize", to: "ew-resize", window: "grab", new: "crosshair" };

/** The whole run's density and the part shown by the chart. For pointers only; keys move the chart itself. */
export function Overview({ data, whole, view, time, nowMs, onView }: OverviewProps) {
  const root = useRef<HTMLDivElement>(null);
  const width = Math.round(useSize(root).width);
  const drag = useRef<Drag | null>(null);
  const [grip, setGrip] = useState<Grip>("new");
  const scale = useMemo(() => new TimeScale(whole, width, time), [whole, width, time]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawOverview(new ChartPencil(context), { data, scale, nowMs }),
    [data, scale, nowMs],
  );
  const box = { left: Math.max(0, scale.xOf(view.from)), right: Math.min(width, scale.xOf(view.to)) };

  const xOf = (event: PointerEvent<HTMLDivElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const x = xOf(event);
    drag.current = { grip: gripAt(x, box, width), was: view, began: scale.msAt(x), beganX: x };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const x = xOf(event);
    const { current } = drag;
    if (current === null) return setGrip(gripAt(x, box, width));
    if (Math.abs(x - current.beganX) >= CLICK_PX || current.grip !== "new") {
      onView(dragged(current.grip, current.was, current.began, scale.msAt(x), whole));
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const { current } = drag;
    drag.current = null;
    if (current?.grip !== "new" || Math.abs(xOf(event) - current.beganX) >= CLICK_PX) return;
    const middle = (current.was.from + current.was.to) / 2;
    onView(dragged("window", current.was, middle, current.began, whole));
  };
  return (
    <div
      ref={root}
      aria-hidden
      data-overview
      className="relative touch-none select-none overflow-hidden rounded-md border border-border"
      style={{ height: overviewHeight + 2, cursor: cursors[grip] }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = null;
      }}
    >
      <Canvas width={width} height={overviewHeight} draw={draw} />
      <div className="absolute inset-y-0 left-0 bg-background/70" style={{ width: box.left }} />
      <div className="absolute inset-y-0 right-0 bg-background/70" style={{ width: Math.max(0, width - box.right) }} />
      <div
        data-window
        className="absolute inset-y-0 border-foreground/60 border-x-2"
        style={{ left: Math.min(box.left, width - 4), width: Math.max(4, box.right - box.left) }}
      />
    </div>
  );
}
