"use client";

import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { Island } from "#components/islands/island.tsx";
import { FindStateProvider } from "#components/text/marks/current-match.tsx";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { filterQueryOf } from "#components/trace/reader/filter-query.ts";
import { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import type { usePageSearch } from "#components/trace/reader/use-page-search.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import { findHits } from "#lib/client/find-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { useFindKeys } from "./find/use-find-keys.ts";
import { useFinderPart } from "./find/use-finder-part.ts";
import { runFind } from "./step-islands.tsx";

type RunFindOptions = {
  source: TraceSource;
  totalLogs: number;
  reader: TraceReader;
  /** The element in which the feed scrolls. */
  area: RefObject<HTMLElement | null>;
  search: ReturnType<typeof usePageSearch>;
  isShown: boolean;
};

/** The search within a run: its bar, and the context for the cards. */
export function useRunFind({ source, totalLogs, reader, area, search, isShown }: RunFindOptions) {
  // The server can search for only one text at a time. If the filter has a text of its own, the search covers all steps,
  // including hidden ones.
  const filter = useMemo(() => {
    const query = filterQueryOf(search.filter);
    return query.q !== undefined || Object.keys(query).length === 0 ? null : query;
  }, [search.filter]);
  const [finder] = useState(
    () =>
      new TraceFinder({
        ...{ reader, filter },
        ask: (asked, from, limit, signal) => findHits(source, asked, from, limit, signal),
        initial: { find: search.find, entry: parseEntry(search.entry) },
      }),
  );
  useEffect(() => finder.connect(), [finder]);
  useEffect(() => finder.setFilter(filter), [finder, filter]);
  const isOpen = useFinderPart(finder, () => finder.snapshot.isOpen);

  const cameFrom = useRef<Element | null>(null);
  const call = (chosen?: string) => {
    // If its script failed to load, the keys are left to the browser's own search.
    if (runFind.hasFailed()) {
      void runFind.load();
      return false;
    }
    if (!finder.snapshot.isOpen) cameFrom.current = document.activeElement;
    finder.call(chosen);
    void runFind.load().then((isThere) => !isThere && finder.close());
    return true;
  };
  useFindKeys(finder, isShown, call);
  useTypedEarly(finder);
  useEffect(() => whenIdle(() => void runFind.load()), []);

  const onClosed = (seq: number | null) => {
    const before = cameFrom.current;
    const card = document.querySelector<HTMLElement>(`article[data-seq="${seq}"][tabindex]`);
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
      before.focus({ preventScroll: true });
    } else if (card !== null) card.focus({ preventScroll: true });
    else reader.focus();
  };
  return {
    finder,
    open: () => void call(),
    bar: isOpen && <Island part={runFind} props={{ finder, source, totalLogs, area, isShown, onClosed }} isWanted />,
    around: (cards: ReactNode) => <FindStateProvider value={finder}>{cards}</FindStateProvider>,
  };
}

/** Takes keys typed before the search bar has loaded. */
function useTypedEarly(finder: TraceFinder): void {
  const isWaiting = useFinderPart(finder, () => finder.snapshot.calls > 0 && runFind.get() === null);
  useEffect(() => {
    if (!isWaiting) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("[data-finder=run]") !== null) return;
      const { text, isFresh } = finder.snapshot;
      if (event.key === "Backspace") finder.type(isFresh ? "" : text.slice(0, -1));
      else if (event.key.length === 1) finder.type(isFresh ? event.key : text + event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [finder, isWaiting]);
}
