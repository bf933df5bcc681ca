import { VIEW_MS_MIN } from "./time-scale.ts";
import type { Range } from "./timeline-data.ts";

/** The part of the overview that a press grabs: an edge of the window, the window, or nothing. */
export type Grip = "from" | "to" | "window" | "new";

/** Distance from an edge, in px, within which a press grabs it. */
const EDGE_REACH = 6;

/** Part grabbed by a press at `x`, if the window extends from `left` to `right`. A window of full width cannot be moved. */
export function gripAt(x: number, { left, right }: { left: number; right: number }, width: number): Grip {
  if (Math.abs(x - left) <= EDGE_REACH) return "from";
  if (Math.abs(x - right) <= EDGE_REACH) return "to";
  if (x > left && x < right && right - left < width - 1) return "window";
  return "new";
}

/** The window while it is dragged from `began` to `at` (moments), starting from its previous range, within `whole`. */
export function dragged(grip: Grip, was: Range, began: number, at: number, whole: Range): Range {
  const held = (ms: number) => Math.min(Math.max(ms, whole.from), whole.to);
  switch (grip) {
    case "from":
      return { from: Math.min(held(at), was.to - VIEW_MS_MIN), to: was.to };
    case "to":
      return { from: was.from, to: Math.max(held(at), was.from + VIEW_MS_MIN) };
    case "window": {
      const length = was.to - was.from;
      const from = Math.min(Math.max(was.from + at - began, whole.from), whole.to - length);
      return { from, to: from + length };
    }
    case "new": {
      const [one, other] = [held(began), held(at)];
      return { from: Math.min(one, other), to: Math.max(one, other, Math.min(one, other) + VIEW_MS_MIN) };
    }
  }
}
