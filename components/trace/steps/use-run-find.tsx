"use client";

import { type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { Island } from "#components/islands/island.tsx";
import { isForOthers } from "#components/keys/use-keys.ts";
import { FindStateProvider } from "#components/text/marks/current-match.tsx";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { filterQueryOf } from "#components/trace/reader/filter-query.ts";
import { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import type { usePageSearch } from "#components/trace/reader/use-page-search.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import { findHits } from "#lib/client/pages/find-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
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
    const { activeElement } = document;
    if (!finder.snapshot.isOpen) cameFrom.current = activeElement;
    finder.call(chosen);
    // A field that had the focus no longer takes what is typed, unless the reader turns to it again.
    if (runFind.get() === null && activeElement instanceof HTMLElement) activeElement.blur();
    void runFind.load().then((isThere) => !isThere && finder.snapshot.isOpen && giveUp());
    return true;
  };
  useFindKeys(finder, isShown, call);
  useEffect(() => whenIdle(() => void runFind.load()), []);

  const onClosed = (seq: number | null) => {
    const before = cameFrom.current;
    const card = document.querySelector<HTMLElement>(`article[data-seq="${seq}"][tabindex]`);
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
      before.focus({ preventScroll: true });
    } else if (card !== null) card.focus({ preventScroll: true });
    else reader.focus();
  };
  const giveUp = () => {
    finder.close();
    onClosed(null);
  };
  useTypedEarly(finder, giveUp);
  return {
    finder,
    open: () => void call(),
    bar: isOpen && <Island part={runFind} props={{ finder, source, totalLogs, area, isShown, onClosed }} isWanted />,
    around: (cards: ReactNode) => <FindStateProvider value={finder}>{cards}</FindStateProvider>,
  };
}

/** Takes keys typed before the search bar has loaded, unless the reader gives it up: by Escape, or by turning to a field. */
function useTypedEarly(finder: TraceFinder, onGiveUp: () => void): void {
  const isWaiting = useFinderPart(finder, () => finder.snapshot.calls > 0 && runFind.get() === null);
  const giveUp = useEffectEvent(onGiveUp);
  useEffect(() => {
    if (!isWaiting) return;
    const isThere = () => document.querySelector("[data-finder=run]") !== null;
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!isThere() && isForOthers(target)) finder.close();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isThere()) return;
      const { text, isFresh } = finder.snapshot;
      if (event.key === "Escape") giveUp();
      else if (event.key === "Backspace") finder.type(isFresh ? "" : text.slice(0, -1));
      else if (event.key.length === 1) finder.type(isFresh ? event.key : text + event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const end = new AbortController();
    window.addEventListener("focusin", onFocusIn, { signal: end.signal });
    window.addEventListener("keydown", onKeyDown, { capture: true, signal: end.signal });
    return () => end.abort();
  }, [finder, isWaiting]);
}
