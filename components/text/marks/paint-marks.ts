import { Highlighter } from "./highlighter.ts";
import { rangesIn } from "./page-ranges.ts";

/** More places than this are not painted at once. */
const PLACES_MAX = 5_000;

type Paint = {
  /** What is watched: its cards come, go and change. */
  root: Element;
  /** Which elements in it are looked through; itself where left out. */
  bodies?: string;
  /** As needleOf gives it, not empty. */
  needle: string;
  /** Which of the places is the current one. */
  currentOf: (all: readonly Range[]) => Range | null;
};

/** Paints a needle wherever it stands in an element, now and when the element changes. */
export function paintMarks({ root, bodies, needle, currentOf }: Paint): {
  current: () => Range | null;
  stop: () => void;
} {
  const highlighter = new Highlighter();
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
    attributeFilter: ["data-sought"],
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

/** The match that a text within `root` says is meant: `data-sought` is which match of that row; null where none says so. */
export function meantIn(root: Element, needle: string): Range | null {
  const row = root.querySelector("[data-sought]");
  return row === null ? null : (rangesIn(row, needle, PLACES_MAX)[Number(row.getAttribute("data-sought"))] ?? null);
}

/** The first of all matches that stands within `root`, or the one that is meant where that comes before. */
export function firstIn(root: Element, needle: string, all: readonly Range[]): Range | null {
  const first = all.find((range) => root.contains(range.startContainer)) ?? null;
  const meant = meantIn(root, needle);
  if (first === null || meant === null) return first ?? meant;
  return first.compareBoundaryPoints(Range.START_TO_START, meant) <= 0 ? first : meant;
}
