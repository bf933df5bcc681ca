"use client";

import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { useTheme } from "#components/shell/theme.tsx";
import type { SeqRange } from "#components/trace/reader/place.ts";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import { useSeqOffset } from "#components/trace/trace-context.tsx";
import type { LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { OutlineBucket } from "#lib/contract/outline.ts";
import { FilterVeil } from "./filter-veil.tsx";
import { type HitMarks, HitMarksColumn } from "./hit-marks.tsx";
import { MapCanvas } from "./map-canvas.tsx";
import { mapHeightOf, seqAt, viewBoxOf } from "./map-scale.ts";
import { useOutline } from "./use-outline.ts";
import { useVisibleRange } from "./use-visible-range.ts";

/** Width and inner margin at top and bottom of the map, in px. */
const WIDTH = 44;
const MARGIN = 8;
/** A press at the right of this, in px, and this near to a marked error goes to the error. */
const ERRORS_LEFT = 29;
const ERROR_REACH = 4;

type MinimapProps = {
  source: TraceSource;
  totalLogs: number;
  reader: TraceReader;
  /** Where a search has found something; null while nothing is looked for. */
  marks?: HitMarks | null;
  /** What is shown of the run; null for all. Keep its identity while it is the same. */
  filter?: LogsFilter | null;
  /** The element that the steps are scrolled in. */
  area: RefObject<HTMLElement | null>;
};

/** The whole run beside its steps: kinds by colour, errors, pauses, and what is in view. A press or a drag goes there. */
export function Minimap({ source, totalLogs, reader, area, marks = null, filter = null }: MinimapProps) {
  const root = useRef<HTMLDivElement>(null);
  const height = useHeight(root);
  const mapHeight = mapHeightOf(totalLogs, Math.max(0, height - 2 * MARGIN));
  // Narrow screens hide the map, and then need no outline.
  const outline = useOutline(source, totalLogs, height > 0 && totalLogs > 0);
  const view = useVisibleRange(reader, area, totalLogs);
  const { resolved } = useTheme();
  const [pointed, setPointed] = useState<number | null>(null);

  const yOf = (event: PointerEvent) => event.clientY - (root.current?.getBoundingClientRect().top ?? 0) - MARGIN;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || totalLogs === 0) return;
    // A press that is done again, of before the program was there, has no pointer any more.
    if (event.isTrusted) event.currentTarget.setPointerCapture(event.pointerId);
    const y = yOf(event);
    const isAtErrors = event.clientX - event.currentTarget.getBoundingClientRect().left >= ERRORS_LEFT;
    const error = isAtErrors ? errorNear(y, outline?.buckets ?? [], totalLogs, mapHeight) : null;
    if (error !== null) reader.pass(error);
    else reader.pass(seqAt(y, totalLogs, mapHeight), "center");
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const y = yOf(event);
    setPointed(y >= -MARGIN && y <= mapHeight + MARGIN ? y : null);
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    reader.pass(seqAt(y, totalLogs, mapHeight), "center");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event, view, totalLogs);
    if (target === null) return;
    event.preventDefault();
    if (target === totalLogs) reader.toEnd();
    else reader.pass(target);
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
          aria-label="Place in the run"
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
          {outline !== null && (
            <MapCanvas key={resolved} {...{ outline, totalLogs }} width={WIDTH} height={mapHeight} top={MARGIN} />
          )}
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

/** The first error of the marked part that is nearest to `y`, or null where none is within reach. */
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

/** The seq that a key of a slider leads to from what is in view; null for other keys. */
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

/** The height of an element in px; 0 while it is not shown, and on the server. */
function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return height;
}
