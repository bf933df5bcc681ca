"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";

/** The current match of the search in one entry, or in one text of it. */
export type CurrentMatch = {
  /** As returned by needleOf. */
  needle: string;
  /** Start of the match to show, in its text; null for the first match of each part. */
  at: number | null;
};

/** The entry that the search navigated to. */
export type FindTarget = CurrentMatch & { seq: number };

/** The current target of the search. A store outside React, so that only the target's card renders when it changes. */
export type Finding = {
  target: FindTarget | null;
  subscribe: (listener: () => void) => () => void;
  /** Brings the place `within` px below the top of an entry's card into view. */
  showPlace: (seq: number, within: number) => void;
};

const FindingContext = createContext<Finding>({ target: null, subscribe: () => () => {}, showPlace: () => {} });
const WholeEntryContext = createContext<WholeEntry>({ ask: () => {}, isCut: () => false });
const CurrentMatchContext = createContext<CurrentMatch | null>(null);

/** Provides the search to the cards below. Keep the value's identity. */
export function FindStateProvider({ value, children }: { value: Finding; children: ReactNode }) {
  return <FindingContext value={value}>{children}</FindingContext>;
}

/** The search, to bring places of cards into view. */
export function useFindState(): Finding {
  return useContext(FindingContext);
}

/** The search target in this entry; null unless the search has navigated here. */
export function useFindTarget(seq: number): FindTarget | null {
  const finding = useFindState();
  const read = () => (finding.target?.seq === seq ? finding.target : null);
  return useSyncExternalStore(finding.subscribe, read, () => null);
}

/**
 * `ask` requests a card's complete entry, which arrives as a new entry; `isCut` says whether a text ends where the entry was cut, so
 * that its number of lines is not known.
 */
export type WholeEntry = { ask: () => void; isCut: (text: string) => boolean };

/** Lets the parts of a card request the complete entry if it was cut. Keep the value's identity. */
export function WholeEntryProvider({ value, children }: { value: WholeEntry; children: ReactNode }) {
  return <WholeEntryContext value={value}>{children}</WholeEntryContext>;
}

/** The complete entry of this card. */
export function useWholeEntry(): WholeEntry {
  return useContext(WholeEntryContext);
}

/** Provides the current match to the parts below. Keep the value's identity. */
export function CurrentMatchProvider({ value, children }: { value: CurrentMatch | null; children: ReactNode }) {
  return <CurrentMatchContext value={value}>{children}</CurrentMatchContext>;
}

/** The current match in this part, or null. */
export function useCurrentMatch(): CurrentMatch | null {
  return useContext(CurrentMatchContext);
}

/**
 * Whether a fold is open: as the reader chose, or because it hides the match. The reader may close it all the same. When the
 * search moves on, it returns to its previous state.
 */
export function useOpenForMatch(
  isOpen: boolean,
  setOpen: (isOpen: boolean) => void,
  hidesMatch: boolean,
): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const currentMatch = useCurrentMatch();
  const [closed, setClosed] = useState<CurrentMatch | null>(null);
  const isRevealed = hidesMatch && currentMatch !== null && closed !== currentMatch;
  return [
    isOpen || isRevealed,
    (next) => {
      setClosed(next ? null : currentMatch);
      setOpen(next);
    },
  ];
}
