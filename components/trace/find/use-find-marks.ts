import { type RefObject, useEffect, useRef, useState } from "react";
import type { VirtualFeedHandle } from "#components/trace/list/virtual-feed.tsx";
import { Highlighter } from "./highlighter.ts";
import { rangesIn } from "./page-ranges.ts";
import { isInView, showSideways } from "./show-range.ts";
import type { FindTarget } from "./sought.tsx";

/** More places than this are not painted at once. */
const PLACES_MAX = 5_000;
/** How long a hit may take to be loaded and opened and is still scrolled to. */
const ARRIVES_WITHIN_MS = 5_000;
/** A hit whose card is here and shows nothing of it for so long is one that the card does not show. */
const SHOWS_WITHIN_MS = 1_500;
/** A hit that stood still in the view for so many frames has arrived. */
const CALM_FRAMES = 10;

type FindMarksOptions = {
  /** The element that holds the cards; as high as what is seen of them. */
  area: RefObject<HTMLElement | null>;
  feed: RefObject<VirtualFeedHandle | null>;
  /** As needleOf gives it; empty while nothing is looked for. */
  needle: string;
  target: FindTarget | null;
};

/**
 * Highlights what is looked for in the cards on the page, and brings the hit that was gone to into view once it is there.
 * Gives the target where its card shows nothing of what was found.
 */
export function useFindMarks({ area, feed, needle, target }: FindMarksOptions): FindTarget | null {
  const [unseen, setUnseen] = useState<FindTarget | null>(null);
  const current = useRef<Range | null>(null);

  useEffect(() => {
    const root = area.current;
    if (root === null || needle === "") return;
    const highlighter = new Highlighter();
    let frame = 0;
    const paint = () => {
      frame = 0;
      const all: Range[] = [];
      for (const body of root.querySelectorAll("article[data-seq] > [data-body]")) {
        all.push(...rangesIn(body, needle, PLACES_MAX - all.length));
      }
      current.current = target?.needle === needle ? currentOf(root, target, all) : null;
      highlighter.paint(all, current.current);
    };
    const paintSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    const changed = new MutationObserver(paintSoon);
    changed.observe(root, { childList: true, subtree: true, characterData: true });
    paint();
    return () => {
      changed.disconnect();
      cancelAnimationFrame(frame);
      highlighter.clear();
      current.current = null;
    };
  }, [area, needle, target]);

  useEffect(() => {
    const root = area.current;
    setUnseen(null);
    if (root === null || target === null || needle === "") return;
    const startedMs = performance.now();
    let calm = 0;
    let shownMs = 0;
    let frame = 0;
    const step = () => {
      const now = performance.now();
      const card = cardOf(root, target.seq);
      const range = current.current;
      if (range !== null && card?.contains(range.startContainer)) {
        calm += 1;
        if (!isInView(range, root)) {
          calm = 0;
          showSideways(range);
          const within = range.getBoundingClientRect().top - itemOf(card).getBoundingClientRect().top;
          feed.current?.scrollToIndex(target.seq - 1, { align: "center", within });
        } else if (calm === 1) showSideways(range);
      } else if (card !== null && card.querySelector("[aria-busy=true]") === null) {
        if (shownMs === 0) shownMs = now;
        else if (now - shownMs > SHOWS_WITHIN_MS) return setUnseen(target);
      }
      if (calm < CALM_FRAMES && now - startedMs < ARRIVES_WITHIN_MS) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    const stop = () => cancelAnimationFrame(frame);
    // Who moves on is not pulled back.
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    for (const type of ["wheel", "pointerdown", "touchmove"] as const) root.addEventListener(type, stop, options);
    return () => {
      stop();
      listening.abort();
    };
  }, [area, feed, needle, target]);
  return unseen;
}

function cardOf(root: Element, seq: number): Element | null {
  return root.querySelector(`article[data-seq="${seq}"]:has(> [data-body])`);
}

/** The list's item that a card is in. */
function itemOf(card: Element): Element {
  let item = card;
  while (item.parentElement !== null && item.parentElement.role !== "feed") item = item.parentElement;
  return item;
}

/** The place that was gone to: the match that its text says is meant, else the first on the card. */
function currentOf(root: Element, { seq, needle }: FindTarget, all: readonly Range[]): Range | null {
  const card = cardOf(root, seq);
  if (card === null) return null;
  const row = card.querySelector("[data-sought]");
  const first = all.find((range) => card.contains(range.startContainer)) ?? null;
  if (row === null || (first !== null && isBefore(first, row))) return first;
  return rangesIn(row, needle, PLACES_MAX)[Number(row.getAttribute("data-sought"))] ?? first;
}

function isBefore(range: Range, element: Element): boolean {
  return (range.startContainer.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
