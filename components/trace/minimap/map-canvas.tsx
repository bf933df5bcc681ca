import { useLayoutEffect, useMemo, useRef } from "react";
import type { Outline } from "#lib/contract/outline.ts";
import { drawOutline } from "./draw-outline.ts";
import { timeGapsOf } from "./time-gaps.ts";

type MapCanvasProps = {
  outline: Outline;
  totalLogs: number;
  /** All in px; the entries fill the height. */
  width: number;
  height: number;
  top: number;
};

/** The drawing of a run, in the colours of the theme that is shown when it is made: give it a key made of the theme. */
export function MapCanvas({ outline, totalLogs, width, height, top }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const gaps = useMemo(() => timeGapsOf(outline.buckets), [outline]);
  // A run that grows is drawn anew once its parts have moved by a pixel, not with every entry.
  const covered = outline.buckets.at(-1)?.to_seq ?? 0;
  const drawnHeight = Math.round((covered / Math.max(covered, totalLogs, 1)) * height);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (canvas.current === null || context === null) return;
    const { buckets } = outline;
    const ratio = window.devicePixelRatio || 1;
    canvas.current.width = Math.round(width * ratio);
    canvas.current.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOutline(context, { buckets, gaps, drawnHeight, width, height, colourOf: colours() });
  }, [outline, gaps, drawnHeight, width, height]);
  return <canvas ref={canvas} aria-hidden className="absolute left-0" style={{ top, width, height }} />;
}

/** The values of colour tokens as they are now, each asked for once. */
function colours(): (token: string) => string {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    const value = known.get(token) ?? style.getPropertyValue(token);
    known.set(token, value);
    return value;
  };
}
