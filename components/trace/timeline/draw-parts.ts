import type { Tint } from "#components/canvas/pencil.ts";
import { tintOf } from "#components/trace/minimap/kind-tints.ts";
import type { ChartPencil } from "./chart-pencil.ts";
import type { Row } from "./chart-rows.ts";
import { errorTint, spentOn, stackOf, uses, useTints } from "./mark-looks.ts";
import type { TimeScale } from "./time-scale.ts";
import type { Part } from "./timeline-data.ts";

/** Minimum height in px of an error among many steps. */
const ERROR_HEIGHT_MIN = 3;
/** Width in px of a part from which columns are separated. */
const APART_FROM = 8;
const ring: Tint = { token: "--ring", alpha: 1 };

/** Uses of each part's time, as shares of its height: work from the bottom up, waiting and idle hatched. */
export function drawSpent(
  pencil: ChartPencil,
  { top, height }: Row,
  parts: readonly Part[],
  scale: TimeScale,
  pointed: Part | null,
): void {
  for (const part of parts) {
    const box = boxOf(part, scale, Number.POSITIVE_INFINITY);
    if (box === null) continue;
    const shown = scale.time.shownAt(part.to) - scale.time.shownAt(part.from);
    const hidden = part.to - part.from - shown;
    let y = top + height;
    for (const use of uses) {
      const ms = spentOn(part, use) - (use === "idle" ? hidden : 0);
      const tall = shown <= 0 ? 0 : (Math.max(0, ms) / shown) * height;
      y -= tall;
      if (use === "idle" || use === "waiting") pencil.hatch(box.x, y, box.width, tall, useTints[use]);
      else pencil.fill(box.x, y, box.width, tall, useTints[use]);
    }
    if (part.from === pointed?.from) pencil.outline(box.x - 1, top - 1, box.width + 2, height + 2, ring, 2);
  }
}

/**
 * Number of steps that ended in each part, by kind and with errors on top. Columns show steps per time, so that parts of any
 * length can be compared.
 */
export function drawColumns(
  pencil: ChartPencil,
  { top, height }: Row,
  parts: readonly Part[],
  scale: TimeScale,
  pointed: Part | null,
): void {
  const paces = parts.map((part) => paceOf(part, scale));
  const most = Math.max(
    ...parts.map((part, index) => (boxOf(part, scale, APART_FROM) === null ? 0 : (paces[index] ?? 0))),
    0,
  );
  parts.forEach((part, index) => {
    const box = boxOf(part, scale, APART_FROM);
    const total = totalOf(part);
    if (box === null || most === 0) return;
    const tall = Math.max(total > 0 ? 2 : 0, ((paces[index] ?? 0) / most) * height);
    let y = top + height;
    const draw = (count: number, tint: Tint, least = 0) => {
      const share = Math.max(least, (count / total) * tall);
      y -= share;
      pencil.fill(box.x, y, box.width, share, tint);
    };
    const failedTools = part.errors - (part.counts.ERROR ?? 0);
    for (const [kind, count] of stackOf(part)) {
      if (kind !== "ERROR") draw(kind === "ACTION" ? count - failedTools : count, tintOf(kind));
    }
    if (part.errors > 0) draw(part.errors, errorTint, ERROR_HEIGHT_MIN);
    if (part.from === pointed?.from) pencil.outline(box.x - 1, top - 1, box.width + 2, height + 2, ring, 2);
  });
  pencil.fill(0, top + height, scale.width, 1, { token: "--border", alpha: 1 });
}

/** Number of entries that ended in a part. */
export function totalOf({ counts }: Part): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function paceOf(part: Part, scale: TimeScale): number {
  return totalOf(part) / Math.max(1, scale.time.shownAt(part.to) - scale.time.shownAt(part.from));
}

/**
 * Position of a part, in whole pixels so that neighbors meet, separated if wider than `apartFrom` px; null if it is not in
 * view.
 */
function boxOf(part: Part, scale: TimeScale, apartFrom: number): { x: number; width: number } | null {
  const left = Math.round(scale.xOf(part.from));
  const right = Math.round(scale.xOf(part.to));
  if (right < 0 || left > scale.width) return null;
  const x = Math.max(-4, left);
  const end = Math.min(scale.width + 4, right);
  const apart = end - x >= apartFrom ? 1 : 0;
  return { x, width: Math.max(1, end - x - apart) };
}
