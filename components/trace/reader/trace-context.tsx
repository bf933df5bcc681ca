"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { offsetOf, type TraceSource } from "#lib/client/pages/trace-source.ts";
import type { TraceReader } from "./trace-reader.ts";

/** Facts about the run that every card may need. The object stays the same while the page shows that run. */
export type TraceRun = {
  /** Source of the run. */
  source: TraceSource;
  /** Instant from which the cards' times count, in ms; null before the run has started. */
  startedAtMs: number | null;
  /** Navigates to other entries. */
  reader: TraceReader;
};

type Trace = TraceRun & {
  /** The reader's open and closed parts, by entry and part: a card that was scrolled away comes back as it was. */
  kept: Map<string, boolean>;
};

const TraceContext = createContext<Trace | null>(null);

type TraceProviderProps = TraceRun & { children: ReactNode };

/** Gives the cards the run they belong to. */
export function TraceProvider({ source, startedAtMs, reader, children }: TraceProviderProps) {
  const [kept] = useState(() => new Map<string, boolean>());
  const [trace, setTrace] = useState<Trace>({ source, startedAtMs, reader, kept });
  if (trace.startedAtMs !== startedAtMs) setTrace({ source, startedAtMs, reader, kept });
  return <TraceContext value={trace}>{children}</TraceContext>;
}

/** The run of the page. Throws outside {@link TraceProvider}. */
export function useTrace(): TraceRun {
  return useKeptTrace();
}

/**
 * Difference between the step numbers shown, in text and addresses, and the viewer's own: a link to part of a run keeps the run's
 * numbers.
 */
export function useSeqOffset(): number {
  return offsetOf(useKeptTrace().source);
}

/** Whether a part of an entry is open, closed by default. The reader's choice outlives scrolling away. */
export function useStoredOpen(key: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
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
