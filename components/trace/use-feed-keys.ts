"use client";

import { usePageKeys } from "#components/ui/use-page-keys.ts";
import type { TraceReader } from "./reader/trace-reader.ts";

type FeedKeysOptions = {
  reader: TraceReader;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  /** The person wants to say which step to go to. */
  onAskStep: () => void;
  /** The person wants to see the keys. */
  onShowKeys: () => void;
  /** The person wants to say which steps are shown. */
  onAskFilter: () => void;
  /** The person wants the link to an entry. */
  onCopyLink: (seq: number) => void;
};

/**
 * j and k go to the next and the previous card, J and K to the next and the previous error, g and G to the first and the last
 * card; `:` asks for a step, `e` opens or folds the card, `c` copies its link, `x` folds all groups, `f` asks what is shown, `?`
 * shows the keys. Not while typing or in a dialog.
 */
export function useFeedKeys(options: FeedKeysOptions): void {
  usePageKeys((event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForOthers(event.target)) return;
    const act = actionOf(event.key, options);
    if (act === null) return;
    event.preventDefault();
    act();
  }, options.isShown);
}

function actionOf(key: string, options: FeedKeysOptions): (() => void) | null {
  const { reader } = options;
  if (!reader.hasList) return null;
  switch (key) {
    case "j":
      return () => reader.step(1);
    case "k":
      return () => reader.step(-1);
    case "J":
      return () => void reader.toError("next");
    case "K":
      return () => void reader.toError("previous");
    case "g":
      return () => reader.toEdge("first");
    case "G":
      return () => reader.toEdge("last");
    case "e":
      return () => toggleCard(reader.here);
    case "c": {
      const seq = reader.here;
      return seq === null ? null : () => options.onCopyLink(seq);
    }
    case ":":
      return options.onAskStep;
    case "?":
      return options.onShowKeys;
    case "f":
      return options.onAskFilter;
    case "x":
      return () => reader.toggleAll();
    default:
      return null;
  }
}

/** Opens what can be opened of a card; where all is open, folds it. */
function toggleCard(seq: number | null): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-group], [data-index]") ?? null;
  const card = focused ?? document.querySelector<HTMLElement>(`[data-index][data-seq="${seq}"][tabindex]`);
  if (card === null) return;
  const found = card.querySelectorAll<HTMLElement>("button[aria-expanded]:not([aria-haspopup]), summary");
  // What stands inside of something folded is opened with another press.
  const switches = [...found].filter((element) => element.checkVisibility());
  const closed = switches.filter((element) => !isOpen(element));
  for (const element of closed.length > 0 ? closed : switches) element.click();
}

function isOpen(element: HTMLElement): boolean {
  return element instanceof HTMLButtonElement
    ? element.ariaExpanded === "true"
    : element.closest("details")?.open === true;
}

/** Keys belong to the text being typed, to an open dialog and to trees, which take letters themselves. */
function isForOthers(target: EventTarget | null): boolean {
  const theirs = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=tree]";
  return (
    (target instanceof Element && target.closest(theirs) !== null) || document.querySelector("[role=dialog]") !== null
  );
}
