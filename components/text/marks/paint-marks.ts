import { MatchHighlighter } from "./match-highlighter.ts";
import { rangesIn } from "./page-ranges.ts";

/** Maximum number of places highlighted at once. */
const PLACES_MAX = 5_000;

type Paint = {
  /** The observed element: cards in it come, go and change. */
  root: Element;
  /** Selector of the elements in it that are searched; by default, the element itself. */
  bodies?: string;
  /** As returned by needleOf; not empty. */
  needle: string;
  /** Chooses the current one among the places. */
  currentOf: (all: readonly Range[]) => Range | null;
};

/** Highlights a needle wherever it occurs in an element, now and whenever the element changes. */
export function paintMarks({ root, bodies, needle, currentOf }: Paint): {
  current: () => Range | null;
  stop: () => void;
} {
  const highlighter = new MatchHighlighter();
  let current: Range | null = null;
  let frame = 0;
  const paint = () => {
    frame = 0;
    const all: Range[] = [];
    for (const body of bodies === undefined ? [root] : root.querySelectorAll(bodies)) {
      all.push(...rangesIn(body, needle, PLACES_MAX - all.length));
    }
    current = currentOf(all);
    highlighter.paint(all, current);
  };
  const changed = new MutationObserver(() => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  });
  changed.observe(root, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-current-match"],
  });
  paint();
  return {
    current: () => current,
    stop: () => {
      changed.disconnect();
      cancelAnimationFrame(frame);
      highlighter.clear();
      current = null;
    },
  };
}

/** The match within `root` marked by `data-current-match`, whose value is the match's index in its row; null if none is marked. */
export function markedMatchIn(root: Element, needle: string): Range | null {
  const row = root.querySelector("[data-current-match]");
  return row === null
    ? null
    : (rangesIn(row, needle, PLACES_MAX)[Number(row.getAttribute("data-current-match"))] ?? null);
}

/** The first match within `root`, or the marked one if that comes earlier. */
export function firstIn(root: Element, needle: string, all: readonly Range[]): Range | null {
  const first = all.find((range) => root.contains(range.startContainer)) ?? null;
  const meant = markedMatchIn(root, needle);
  if (first === null || meant === null) return first ?? meant;
  return first.compareBoundaryPoints(Range.START_TO_START, meant) <= 0 ? first : meant;
}
