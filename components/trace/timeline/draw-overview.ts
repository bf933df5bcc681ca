import type { Tint } from "#components/canvas/pencil.ts";
import type { ChartPencil } from "./chart-pencil.ts";
import { totalOf } from "./draw-parts.ts";
import { errorTint, useTints } from "./mark-looks.ts";
import type { TimeScale } from "./time-scale.ts";
import type { TimelineData } from "./timeline-data.ts";

/** In px. */
export const overviewHeight = 44;
const errorsHeight = 4;
const steps: Tint = { token: "--muted-foreground", alpha: 0.5 };
const now: Tint = { token: "--status-running", alpha: 1 };

/** Density of a run over time: steps as columns, errors along the bottom, idle time hatched, waiting in its color. */
export function drawOverview(
  pencil: ChartPencil,
  { data, scale, nowMs }: { data: TimelineData; scale: TimeScale; nowMs: number | null },
): void {
  pencil.context.clearRect(0, 0, scale.width, overviewHeight);
  const paces = data.parts.map(
    (part) => totalOf(part) / Math.max(1, scale.time.shownAt(part.to) - scale.time.shownAt(part.from)),
  );
  const most = Math.max(...paces, 0);
  const foot = overviewHeight - errorsHeight;
  data.parts.forEach((part, index) => {
    const x = Math.round(scale.xOf(part.from));
    const width = Math.max(1, Math.round(scale.xOf(part.to)) - x);
    const pace = paces[index] ?? 0;
    // A square root, so that quiet stretches beside busy ones stay visible.
    const tall = pace === 0 ? 0 : Math.max(2, Math.sqrt(pace / most) * (foot - 4));
    pencil.fill(x, foot - tall, width, tall, steps);
    if (part.waiting_ms > 0) pencil.fill(x, 0, width, 3, useTints.waiting);
    if (part.errors > 0) {
      const alpha = 0.35 + 0.65 * Math.min(1, (part.errors / Math.max(1, totalOf(part))) * 4);
      pencil.fill(x, foot, width, errorsHeight, { ...errorTint, alpha });
    }
  });
  for (const { from, to } of data.gaps) {
    const x = scale.xOf(from);
    const width = scale.xOf(to) - x;
    // A hidden gap gets the columns of its part.
    if (scale.gaps.some((gap) => gap.from === from)) pencil.context.clearRect(x, 0, width, overviewHeight);
    pencil.hatch(x, 0, width, foot, useTints.idle);
  }
  if (nowMs !== null) pencil.fill(Math.round(scale.xOf(nowMs)), 0, 1, overviewHeight, now);
}
