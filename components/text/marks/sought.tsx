"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";

/** What is looked for in one entry or in one text of it. */
export type Sought = {
  /** As needleOf gives it. */
  needle: string;
  /** Which match is gone to, by where it begins in the text; null for the first of each part. */
  at: number | null;
};

/** The entry that a search has led to. */
export type FindTarget = Sought & { seq: number };

/** Which entry is gone to. A store beside React: only that entry's card renders when it changes. */
export type Finding = {
  target: FindTarget | null;
  subscribe: (listener: () => void) => () => void;
  /** Brings the place `within` px below the top of an entry's card into view. */
  showPlace: (seq: number, within: number) => void;
};

const FindingContext = createContext<Finding>({ target: null, subscribe: () => () => {}, showPlace: () => {} });
const WholeEntryContext = createContext<() => void>(() => {});
const SoughtContext = createContext<Sought | null>(null);

/** Lets the cards below know what is looked for. Keep the value's identity. */
export function FindingProvider({ value, children }: { value: Finding; children: ReactNode }) {
  return <FindingContext value={value}>{children}</FindingContext>;
}

/** How to bring places of cards into view. */
export function useFinding(): Finding {
  return useContext(FindingContext);
}

/** What is looked for in this entry; null unless the search has led here. */
export function useFindTarget(seq: number): FindTarget | null {
  const finding = useFinding();
  const read = () => (finding.target?.seq === seq ? finding.target : null);
  return useSyncExternalStore(finding.subscribe, read, () => null);
}

/** Lets the parts of a card ask for their entry whole, where it was cut short. Keep the value's identity. */
export function WholeEntryProvider({ value, children }: { value: () => void; children: ReactNode }) {
  return <WholeEntryContext value={value}>{children}</WholeEntryContext>;
}

/** How to ask for the entry of this card whole; it comes as another entry. */
export function useWholeEntry(): () => void {
  return useContext(WholeEntryContext);
}

/** Tells the parts below what is looked for in them. Keep the value's identity. */
export function SoughtProvider({ value, children }: { value: Sought | null; children: ReactNode }) {
  return <SoughtContext value={value}>{children}</SoughtContext>;
}

/** What is looked for in this part; null while nothing is. */
export function useSought(): Sought | null {
  return useContext(SoughtContext);
}

/**
 * Whether a fold is open: as the reader chose, or because it hides what is looked for. The reader may close that too; when
 * the search goes elsewhere it is as it was before.
 */
export function useOpenForSought(
  isOpen: boolean,
  setOpen: (isOpen: boolean) => void,
  hidesSought: boolean,
): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const sought = useSought();
  const [closed, setClosed] = useState<Sought | null>(null);
  const isRevealed = hidesSought && sought !== null && closed !== sought;
  return [
    isOpen || isRevealed,
    (next) => {
      setClosed(next ? null : sought);
      setOpen(next);
    },
  ];
}
