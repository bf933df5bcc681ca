"use client";

import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import { needleOf } from "#components/text/marks/find-text.ts";
import { fetchCodeTool } from "#components/trace/entry/tools/code-tool-island.tsx";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import { useSnapshot } from "#components/trace/reader/use-snapshot.ts";
import { findQuery } from "#lib/client/find-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { FindBar } from "./find-bar.tsx";
import { useFindMarks } from "./use-find-marks.ts";

export type RunFindProps = {
  finder: TraceFinder;
  source: TraceSource;
  totalLogs: number;
  /** The element that the feed is scrolled in, as high as what is seen of it. */
  area: RefObject<HTMLElement | null>;
  isShown: boolean;
  /** The search has been closed at this entry. */
  onClosed: (seq: number | null) => void;
};

/** The search in a run while it is open: the bar over the steps, and what it highlights in them. */
export function RunFind({ finder, source, totalLogs, area, isShown, onClosed }: RunFindProps) {
  const { search, cursor, target } = useSnapshot(finder);
  const { data, error } = useQuery({
    ...findQuery(source, search ?? { q: "", around: 1, filter: null }, totalLogs),
    enabled: search !== null,
  });
  useEffect(() => {
    if (search !== null) finder.answered(search, data ?? null, error);
  }, [finder, search, data, error]);
  // What is looked for often stands in code: it is not to be waited for once it is found.
  useEffect(() => void fetchCodeTool(), []);
  const needle = isShown ? needleOf(search?.q ?? "") : "";
  const isUnseen = useFindMarks({ area, finder, needle, target });
  const close = () => {
    finder.close();
    onClosed(cursor?.hit.seq ?? null);
  };
  return <FindBar finder={finder} hidden={isUnseen ? (cursor?.hit ?? null) : null} onClose={close} />;
}
