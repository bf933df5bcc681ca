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

/** The place that a text within `root` says is meant (`data-sought`: which match of that row), else the first of them all. */
export function meantOf(root: Element, needle: string, all: readonly Range[]): Range | null {
  const first = all.find((range) => root.contains(range.startContainer)) ?? null;
  const row = root.querySelector("[data-sought]");
  if (row === null || (first !== null && isBefore(first, row))) return first;
  return rangesIn(row, needle, PLACES_MAX)[Number(row.getAttribute("data-sought"))] ?? first;
}

function isBefore(range: Range, element: Element): boolean {
  if (element.contains(range.startContainer)) return false;
  return (range.startContainer.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
