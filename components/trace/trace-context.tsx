"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { offsetOf, type TraceSource } from "#lib/client/trace-source.ts";

/** What every card may need of the run it belongs to. It stays the same while the page shows that run. */
export type TraceRun = {
  /** Where the run is read from. */
  source: TraceSource;
  /** The moment from which the cards count time, in ms; null before the run has started. */
  startedAtMs: number | null;
};

type Trace = TraceRun & {
  /** What the reader opened, by entry and part: a card that was scrolled away comes back as it was left. */
  kept: Map<string, boolean>;
};

const TraceContext = createContext<Trace | null>(null);

type TraceProviderProps = TraceRun & { children: ReactNode };

/** Tells the cards which run they belong to. */
export function TraceProvider({ source, startedAtMs, children }: TraceProviderProps) {
  const [kept] = useState(() => new Map<string, boolean>());
  const [trace, setTrace] = useState<Trace>({ source, startedAtMs, kept });
  if (trace.startedAtMs !== startedAtMs) setTrace({ source, startedAtMs, kept });
  return <TraceContext value={trace}>{children}</TraceContext>;
}

/** The run of the page. Throws outside {@link TraceProvider}. */
export function useTrace(): TraceRun {
  return useKeptTrace();
}

/**
 * By how much the numbers that people see, in words and addresses, are greater than those that the viewer counts with: a link
 * that shows a part of a run calls its steps what they are called in the run.
 */
export function useSeqOffset(): number {
  return offsetOf(useKeptTrace().source);
}

/** Whether a part of an entry is open, closed at first. What the reader chose outlives scrolling away. */
export function useKeptOpen(key: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { kept } = useKeptTrace();
  const [isOpen, setIsOpen] = useState(() => kept.get(key) ?? false);
  return [
    isOpen,
    (next) => {
      kept.set(key, next);
      setIsOpen(next);
    },
  ];
}

function useKeptTrace(): Trace {
  const trace = useContext(TraceContext);
  if (trace === null) throw new Error("Cards of a trace stand below TraceProvider.");
  return trace;
}
