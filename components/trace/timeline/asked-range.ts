import { isWhole } from "./time-scale.ts";
import type { Range, TimelineData } from "./timeline-data.ts";

/** Factor by which the requested range exceeds the view, so that small moves need no request. */
const MORE = 1.3;
/** A response that covers less of a view is not drawn step by step. */
const COVERED_MIN = 0.5;

/**
 * Range to request for a view; null if the data of the whole run is enough. It is wider than the view and the same for nearby
 * views, so that moving rarely causes requests.
 */
export function askedRange(view: Range, run: Range): Range | null {
  if (isWhole(view, run)) return null;
  const length = 2 ** (Math.ceil(Math.log2((view.to - view.from) * MORE) * 2) / 2);
  const grid = length / 16;
  const middle = (view.from + view.to) / 2;
  const from = Math.floor((middle - length / 2) / grid) * grid;
  const asked = { from: Math.floor(Math.max(from, run.from)), to: Math.ceil(Math.min(from + length + grid, run.to)) };
  if (asked.from >= asked.to) return null;
  return isWhole(asked, run) ? null : asked;
}

/** The whole run with a closer look at a range of it, if the view needs it. */
export function composed(whole: TimelineData, near: TimelineData | null, view: Range): TimelineData {
  if (near === null || near.to <= view.from || near.from >= view.to) return whole;
  const covered = Math.min(near.to, view.to) - Math.max(near.from, view.from);
  const inRun = Math.min(view.to, whole.run.to) - Math.max(view.from, whole.run.from);
  return {
    ...whole,
    parts: [
      ...whole.parts.flatMap((part) => clipped(part, { from: whole.from, to: near.from })),
      ...near.parts,
      ...whole.parts.flatMap((part) => clipped(part, { from: near.to, to: whole.to })),
    ],
    turns: near.turns,
    waits: near.waits,
    bars: whole.bars ?? (covered >= inRun * COVERED_MIN ? near.bars : null),
  };
}

/** A part clipped to a range; its numbers are scaled to its share of the time. */
function clipped(part: TimelineData["parts"][number], range: Range): TimelineData["parts"] {
  const from = Math.max(part.from, range.from);
  const to = Math.min(part.to, range.to);
  if (from >= to) return [];
  if (from === part.from && to === part.to) return [part];
  const share = (to - from) / (part.to - part.from);
  return [
    {
      ...part,
      from,
      to,
      counts: Object.fromEntries(Object.entries(part.counts).map(([kind, count]) => [kind, count * share])),
      errors: part.errors * share,
      tool_ms: part.tool_ms * share,
      thinking_ms: part.thinking_ms * share,
      waiting_ms: part.waiting_ms * share,
      idle_ms: part.idle_ms * share,
      timed_calls: part.timed_calls * share,
    },
  ];
}
