import { useLayoutEffect, useRef } from "react";
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
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null;
    if (canvas.current === null || context === null) return;
    const { buckets } = outline;
    const ratio = window.devicePixelRatio || 1;
    canvas.current.width = Math.round(width * ratio);
    canvas.current.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.documentElement);
    const colourOf = (token: string) => style.getPropertyValue(token);
    drawOutline(context, { buckets, gaps: timeGapsOf(buckets), totalLogs, width, height, colourOf });
  }, [outline, totalLogs, width, height]);
  return <canvas ref={canvas} aria-hidden className="absolute left-0" style={{ top, width, height }} />;
}
