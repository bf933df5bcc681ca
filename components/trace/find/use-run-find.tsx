"use client";

import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { filterQueryOf } from "#components/trace/filter/filter-query.ts";
import type { VirtualFeedHandle } from "#components/trace/list/virtual-feed.tsx";
import { parseEntry } from "#components/trace/log-windows.ts";
import type { HitMarks } from "#components/trace/minimap/hit-marks.tsx";
import type { usePageSearch } from "#components/trace/use-page-search.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { FindBar } from "./find-bar.tsx";
import { FindingProvider, FindTargets } from "./sought.tsx";
import { useFind } from "./use-find.ts";
import { useFindAddress } from "./use-find-address.ts";
import { useFindKeys } from "./use-find-keys.ts";
import { useFindMarks } from "./use-find-marks.ts";

type RunFindOptions = {
  source: TraceSource;
  totalLogs: number;
  feed: RefObject<VirtualFeedHandle | null>;
  /** The element that the feed is scrolled in, as high as what is seen of it. */
  area: RefObject<HTMLElement | null>;
  search: ReturnType<typeof usePageSearch>;
  isShown: boolean;
};

/** The search within a run: its bar, what stands around the cards that it opens, and its marks on the map. */
export function useRunFind({ source, totalLogs, feed, area, search, isShown }: RunFindOptions) {
  const [targets] = useState(() => new FindTargets());
  const [initial] = useState(() => ({ text: search.find, entry: parseEntry(search.entry) }));
  // The server looks for one text at a time: beside a filter's own text all hits are gone through, those it hides too.
  const filter = useMemo(() => {
    const query = filterQueryOf(search.filter);
    return query.q !== undefined || Object.keys(query).length === 0 ? null : query;
  }, [search.filter]);
  const find = useFind({ source, totalLogs, feed, targets, filter, initial });
  const input = useRef<HTMLInputElement>(null);
  const focused = useRef<Element | null>(null);
  const open = (chosen?: string) => {
    if (!find.isOpen) focused.current = document.activeElement;
    flushSync(() => find.open(chosen));
    input.current?.focus();
    input.current?.select();
  };
  const close = () => {
    find.close();
    const { current } = focused;
    const card = document.querySelector<HTMLElement>(`article[data-seq="${find.cursor?.hit.seq}"][tabindex]`);
    if (current instanceof HTMLElement && current !== document.body && current.isConnected) {
      current.focus({ preventScroll: true });
    } else if (card !== null) card.focus({ preventScroll: true });
    else feed.current?.focus();
  };
  useFindKeys(find, isShown, open);
  useFindAddress(find, search);
  const unseen = useFindMarks({ area, feed, needle: isShown ? find.needle : "", target: find.target });

  const finding = useMemo(
    () => ({
      targets,
      showPlace: (seq: number, within: number) => feed.current?.scrollToIndex(seq - 1, { align: "center", within }),
    }),
    [targets, feed],
  );
  const { found } = find;
  const marks = useMemo((): HitMarks | null => {
    if (!find.isOpen || found === null || found.matching_logs === 0 || found.buckets.length === 0) {
      return null;
    }
    return { counts: found.buckets, totalLogs: found.total_logs };
  }, [find.isOpen, found]);
  return {
    marks,
    bar: find.isOpen && <FindBar {...{ find, input }} isUnseen={unseen !== null} onClose={close} />,
    around: (cards: ReactNode) => <FindingProvider value={finding}>{cards}</FindingProvider>,
  };
}
