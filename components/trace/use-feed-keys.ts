"use client";

import { type ActOf, traceKeys } from "#components/keys/key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import type { TraceReader } from "./reader/trace-reader.ts";

type FeedKeysOptions = {
  reader: TraceReader;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  /** The person wants to say which step to go to. */
  onAskStep: () => void;
  /** The person wants to say which steps are shown. */
  onAskFilter: () => void;
  /** The person wants the link to an entry. */
  onCopyLink: (seq: number) => void;
};

/** What the keys of {@link traceKeys} do in the list of steps. */
export function useFeedKeys({ reader, isShown, ...asks }: FeedKeysOptions): void {
  useKeys(traceKeys, (act) => reader.hasList && actions[act](reader, asks), isShown);
}

type Asks = Omit<FeedKeysOptions, "reader" | "isShown">;

/** False where there is nothing to do it to. */
const actions: Record<ActOf<typeof traceKeys>, (reader: TraceReader, asks: Asks) => unknown> = {
  next: (reader) => reader.step(1),
  previous: (reader) => reader.step(-1),
  "next-error": (reader) => void reader.toError("next"),
  "previous-error": (reader) => void reader.toError("previous"),
  first: (reader) => reader.toEdge("first"),
  last: (reader) => reader.toEdge("last"),
  toggle: (reader) => toggleCard(reader.here),
  "toggle-groups": (reader) => reader.toggleAll(),
  "ask-step": (_, { onAskStep }) => onAskStep(),
  filter: (_, { onAskFilter }) => onAskFilter(),
  "copy-link": ({ here }, { onCopyLink }) => here !== null && void onCopyLink(here),
};

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
