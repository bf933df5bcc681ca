"use client";

import { type ActOf, traceKeys } from "#components/keys/key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import type { FindError, TraceReader } from "./trace-reader.ts";

type FeedKeysOptions = {
  reader: TraceReader;
  /** Keys are ignored while the feed is hidden. */
  isShown: boolean;
  /** Asks for a step to go to. */
  onAskStep: () => void;
  /** Returns the nearest error after or before an entry. */
  findError: FindError;
  /** Opens the filter. */
  onAskFilter: () => void;
  /** Copies the link to an entry. */
  onCopyLink: (seq: number) => void;
};

/** Actions of {@link traceKeys} in the list of steps. */
export function useFeedKeys({ reader, isShown, ...asks }: FeedKeysOptions): void {
  useKeys(traceKeys, (act) => reader.hasList && actions[act](reader, asks), isShown);
}

type Asks = Omit<FeedKeysOptions, "reader" | "isShown">;

/** The action of each shortcut. Returns false to leave the key to others: there is no entry whose link could be copied. */
const actions: Record<ActOf<typeof traceKeys>, (reader: TraceReader, asks: Asks) => unknown> = {
  next: (reader) => reader.step(1),
  previous: (reader) => reader.step(-1),
  "next-error": (reader, { findError }) => void reader.toError("next", findError),
  "previous-error": (reader, { findError }) => void reader.toError("previous", findError),
  first: (reader) => reader.toEdge("first"),
  last: (reader) => reader.toEdge("last"),
  toggle: (reader) => toggleCard(reader.here),
  "toggle-groups": (reader) => reader.toggleAll(),
  "ask-step": (_, { onAskStep }) => onAskStep(),
  filter: (_, { onAskFilter }) => onAskFilter(),
  "copy-link": ({ here }, { onCopyLink }) => here !== null && void onCopyLink(here),
};

/** Opens everything in a card; if all is open, closes it. */
function toggleCard(seq: number | null): void {
  const focused = document.activeElement?.closest<HTMLElement>("[data-group], [data-index]") ?? null;
  const card = focused ?? document.querySelector<HTMLElement>(`[data-index][data-seq="${seq}"][tabindex]`);
  if (card === null) return;
  const found = card.querySelectorAll<HTMLElement>("button[aria-expanded]:not([aria-haspopup]), summary");
  // Parts inside something folded are opened with another press.
  const switches = [...found].filter((element) => element.checkVisibility());
  const closed = switches.filter((element) => !isOpen(element));
  for (const element of closed.length > 0 ? closed : switches) element.click();
}

function isOpen(element: HTMLElement): boolean {
  return element instanceof HTMLButtonElement
    ? element.ariaExpanded === "true"
    : element.closest("details")?.open === true;
}
