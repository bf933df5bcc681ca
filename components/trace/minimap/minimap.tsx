"use client";

import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { Canvas } from "#components/canvas/canvas.tsx";
import { Pencil } from "#components/canvas/pencil.ts";
import { formatCount } from "#components/shell/format-number.ts";
import type { SeqRange } from "#components/trace/reader/place.ts";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import { useSize } from "#components/ui/use-size.ts";
import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { Outline, OutlineBucket } from "#lib/contract/logs/outline.ts";
import { drawOutline } from "./draw-outline.ts";
import { FilterVeil } from "./filter-veil.tsx";
import { type HitMarks, HitMarksColumn } from "./hit-marks.tsx";
import { mapHeightOf, seqAt, viewBoxOf } from "./map-scale.ts";
import { timeGapsOf } from "./time-gaps.ts";
import { useOutline } from "./use-outline.ts";
import { useVisibleRange } from "./use-visible-range.ts";

/** Width and inner margin at top and bottom of the map, in px. */
const WIDTH = 44;
const MARGIN = 8;
/** A press to the right of this, in px, and this near to an error mark goes to the error. */
const ERRORS_LEFT = 29;
const ERROR_REACH = 4;

type MinimapProps = {
  source: TraceSource;
  totalLogs: number;
  reader: TraceReader;
  /** Search hits; null without a search. */
  marks?: HitMarks | null;
  /** Filter of the run; null for all. Must keep its identity while it is the same. */
  filter?: LogsFilter | null;
  /** The scrolling element of the steps. */
  area: RefObject<HTMLElement | null>;
};

/** Map of the whole run beside its steps: kinds by color, errors, pauses, and the part in view. Press or drag to go there. */
export function Minimap({ source, totalLogs, reader, area, marks = null, filter = null }: MinimapProps) {
  const root = useRef<HTMLDivElement>(null);
  const { height } = useSize(root);
  const mapHeight = mapHeightOf(totalLogs, Math.max(0, height - 2 * MARGIN));
  // Narrow screens hide the map, and need no outline.
  const outline = useOutline(source, totalLogs, height > 0 && totalLogs > 0);
  const view = useVisibleRange(reader, area, totalLogs);
  const [pointed, setPointed] = useState<number | null>(null);

  const yOf = (event: PointerEvent) => event.clientY - (root.current?.getBoundingClientRect().top ?? 0) - MARGIN;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || totalLogs === 0) return;
    // A replayed press, from before the code was loaded, has no active pointer any more.
    if (event.isTrusted) event.currentTarget.setPointerCapture(event.pointerId);
    const y = yOf(event);
    const isAtErrors = event.clientX - event.currentTarget.getBoundingClientRect().left >= ERRORS_LEFT;
    const error = isAtErrors ? errorNear(y, outline?.buckets ?? [], totalLogs, mapHeight) : null;
    if (error !== null) reader.showAround(error);
    else reader.showAround(seqAt(y, totalLogs, mapHeight), "center");
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const y = yOf(event);
    setPointed(y >= -MARGIN && y <= mapHeight + MARGIN ? y : null);
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    reader.showAround(seqAt(y, totalLogs, mapHeight), "center");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event, view, totalLogs);
    if (target === null) return;
    event.preventDefault();
    if (target === totalLogs) reader.toEnd();
    else reader.showAround(target);
  };

  const box = viewBoxOf(view, totalLogs, mapHeight);
  const offset = useSeqOffset();
  const step = Math.min(view.first, totalLogs);
  return (
    <div ref={root} className="relative hidden shrink-0 md:block" style={{ width: WIDTH }}>
      {totalLogs > 0 && (
        <div
          role="slider"
          tabIndex={0}
          aria-label="Position in the run"
          aria-orientation="vertical"
          aria-valuemin={1 + offset}
          aria-valuemax={totalLogs + offset}
          aria-valuenow={step + offset}
          aria-valuetext={`Step ${formatCount(step + offset)} of ${formatCount(totalLogs + offset)}`}
          className="absolute inset-x-0 top-0 cursor-default touch-none select-none focus-visible:-outline-offset-2"
          style={{ height: mapHeight + 2 * MARGIN }}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setPointed(null)}
          onKeyDown={onKeyDown}
        >
          {outline !== null && <MapDrawing {...{ outline, totalLogs }} height={mapHeight} />}
          {filter !== null && <FilterVeil {...{ source, totalLogs, filter }} height={mapHeight} top={MARGIN} />}
          {marks !== null && <HitMarksColumn {...{ marks, totalLogs }} height={mapHeight} top={MARGIN} />}
          <div
            aria-hidden
            data-view
            className="absolute inset-x-1 top-0 rounded-sm border border-foreground/40 bg-foreground/5"
            style={{ height: box.height + 2, transform: `translateY(${MARGIN + box.top - 1}px)` }}
          />
          {pointed !== null && (
            <div
              aria-hidden
              className="pointer-events-none absolute top-0 left-full z-10 rounded-sm border border-border bg-popover px-1.5 py-0.5 text-popover-foreground text-xs tabular-nums whitespace-nowrap"
              style={{ transform: `translateY(${Math.max(0, Math.min(pointed, mapHeight) + MARGIN - 11)}px)` }}
            >
              Step {formatCount(seqAt(pointed, totalLogs, mapHeight) + offset)}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function MapDrawing({ outline, totalLogs, height }: { outline: Outline; totalLogs: number; height: number }) {
  const gaps = useMemo(() => timeGapsOf(outline.buckets), [outline]);
  // Drawn again once a part has moved by a pixel, not with every new entry.
  const covered = outline.buckets.at(-1)?.to_seq ?? 0;
  const drawnHeight = Math.round((covered / Math.max(covered, totalLogs, 1)) * height);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) =>
      drawOutline(new Pencil(context), { buckets: outline.buckets, gaps, drawnHeight, width: WIDTH, height }),
    [outline, gaps, drawnHeight, height],
  );
  return (
    <div className="absolute left-0" style={{ top: MARGIN }}>
      <Canvas {...{ height, draw }} width={WIDTH} />
    </div>
  );
}

/** The first error of the marked part nearest to `y`, or null if none is within reach. */
function errorNear(y: number, buckets: readonly OutlineBucket[], totalLogs: number, mapHeight: number): number | null {
  let nearest: { seq: number; away: number } | null = null;
  for (const { from_seq, to_seq, first_error_seq: seq } of buckets) {
    if (seq === null) continue;
    const [top, bottom] = [from_seq - 1, to_seq].map((entries) => (entries / totalLogs) * mapHeight);
    const away = Math.max(0, (top ?? 0) - y, y - (bottom ?? 0));
    if (away <= ERROR_REACH && (nearest === null || away < nearest.away)) nearest = { seq, away };
  }
  return nearest?.seq ?? null;
}

/** Target seq of a slider key, from the entries in view; null for other keys. */
function targetOf(event: KeyboardEvent, view: SeqRange, totalLogs: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const page = Math.max(1, view.last - view.first, Math.round(totalLogs / 20));
  const targets: Partial<Record<string, number>> = {
    ArrowUp: view.first - 1,
    ArrowLeft: view.first - 1,
    ArrowDown: view.first + 1,
    ArrowRight: view.first + 1,
    PageUp: view.first - page,
    PageDown: view.first + page,
    Home: 1,
    End: totalLogs,
  };
  const target = targets[event.key];
  return target === undefined ? null : Math.max(1, Math.min(target, totalLogs));
}
