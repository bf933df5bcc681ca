"use client";

import type { RefObject } from "react";
import { usePageKeys } from "#components/ui/use-page-keys.ts";
import type { ErrorDirection } from "#lib/client/outline-queries.ts";
import type { Groups } from "./group/use-groups.ts";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import type { ListPlaces } from "./list-places.ts";
import type { GoTo } from "./use-go-to.ts";

type FeedKeysOptions = {
  list: RefObject<VirtualFeedHandle | null>;
  places: ListPlaces;
  groups: Groups;
  goTo: GoTo;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  /** The seq of the nearest entry with an error after or before another one; null where there is none to go to. */
  findError: (seq: number, direction: ErrorDirection) => Promise<number | null>;
  /** The person wants to say which step to go to. */
  onAskStep: () => void;
  /** The person wants to see the keys. */
  onShowKeys: () => void;
  /** The person wants to say which steps are shown. */
  onAskFilter: () => void;
  /** The person wants the link to an entry. */
  onCopyLink: (seq: number) => void;
  /** The person wants every group folded, or unfolded where they are. */
  onFoldAll: () => void;
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
  const { list, places, groups, goTo } = options;
  if (list.current === null) return null;
  const { first, last } = list.current.visibleRange();
  const isInView = (index: number | null) => index !== null && index >= first && index <= last;
  const here = goTo.heading.current ?? [focusedIndex(), goTo.target.current].find(isInView) ?? null;
  switch (key) {
    case "j":
      return () => goTo.index(groups.shownFrom(here === null ? first : here + 1, 1));
    case "k":
      return () => goTo.index(groups.shownFrom((here ?? first) - 1, -1));
    case "J":
      return () => void goToError(here === null ? null : here, "next", options, first);
    case "K":
      return () => void goToError(here, "previous", options, first);
    case "g":
      return () => goTo.index(0);
    case "G":
      return () => goTo.index(places.count - 1);
    case "e":
      return () => toggleCard(here ?? first);
    case "c": {
      const seq = places.seqAt(here ?? first);
      return seq === null ? null : () => options.onCopyLink(seq);
    }
    case ":":
      return options.onAskStep;
    case "?":
      return options.onShowKeys;
    case "f":
      return options.onAskFilter;
    case "x":
      return options.onFoldAll;
    default:
      return null;
  }
}

/** Goes from the card `here`, or from the first one in view, that one included. */
async function goToError(here: number | null, direction: ErrorDirection, options: FeedKeysOptions, first: number) {
  const { places, goTo, findError } = options;
  const from = places.seqAt(here ?? first);
  if (from === null) return;
  const before = goTo.target.current;
  const seq = await findError(here === null && direction === "next" ? from - 1 : from, direction);
  // Who has gone elsewhere in the meantime stays there.
  if (seq !== null && goTo.target.current === before) goTo.seq(seq, { takeFocus: true });
}

/** Opens what can be opened of a card; where all is open, folds it. */
function toggleCard(index: number): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-group], [data-index]") ?? null;
  const card = focused ?? document.querySelector<HTMLElement>(`[data-index="${index}"][tabindex]`);
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

function focusedIndex(): number | null {
  const card = document.activeElement?.closest<HTMLElement>("[data-index]");
  return card === null || card === undefined ? null : Number(card.dataset.index);
}
