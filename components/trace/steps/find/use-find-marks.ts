import { type RefObject, useEffect, useRef, useState } from "react";
import { arrive, placeInItem } from "#components/text/marks/arrive.ts";
import type { FindTarget } from "#components/text/marks/current-match.tsx";
import { firstIn, paintMarks } from "#components/text/marks/paint-marks.ts";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";

type FindMarksOptions = {
  /** The element that holds the cards; it is as high as the view. */
  area: RefObject<HTMLElement | null>;
  finder: TraceFinder;
  /** As returned by needleOf; empty without a search. */
  needle: string;
  target: FindTarget | null;
};

/**
 * Highlights matches in the cards on the page, and brings the current hit into view once its card has rendered. Returns true if
 * the card does not show the hit.
 */
export function useFindMarks({ area, finder, needle, target }: FindMarksOptions): boolean {
  const [unseen, setUnseen] = useState<FindTarget | null>(null);
  const current = useRef<() => Range | null>(() => null);
  const aim = target?.needle === needle ? target : null;

  useEffect(() => {
    const root = area.current;
    if (root === null || needle === "") return;
    const marks = paintMarks({
      root,
      bodies: "article[data-seq] > [data-body]",
      needle,
      currentOf: (all) => {
        const card = aim === null ? null : cardOf(root, aim.seq);
        return card === null ? null : firstIn(card, needle, all);
      },
    });
    current.current = marks.current;
    return () => {
      marks.stop();
      current.current = () => null;
    };
  }, [area, needle, aim]);

  useEffect(() => {
    const root = area.current;
    if (root === null || aim === null || needle === "") return;
    const card = () => cardOf(root, aim.seq);
    return arrive({
      view: root,
      place: () => current.current(),
      show: (range) => finder.showPlace(aim.seq, placeInItem(card() ?? root, range)),
      isHere: () => card()?.querySelector("[aria-busy=true]") === null,
      onMissing: () => setUnseen(aim),
    });
  }, [area, finder, needle, aim]);
  return aim !== null && unseen === aim;
}

function cardOf(root: Element, seq: number): Element | null {
  return root.querySelector(`article[data-seq="${seq}"]:has(> [data-body])`);
}
