"use client";

import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import { needleOf } from "#components/text/marks/find-text.ts";
import { fetchCodeTool } from "#components/trace/entry/tools/code-tool-island.tsx";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import { useSnapshot } from "#components/trace/reader/use-snapshot.ts";
import { findQuery } from "#lib/client/pages/find-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { FindBar } from "./find-bar.tsx";
import { useFindMarks } from "./use-find-marks.ts";

export type RunFindProps = {
  finder: TraceFinder;
  source: TraceSource;
  totalLogs: number;
  /** The element in which the feed scrolls; it is as high as the view. */
  area: RefObject<HTMLElement | null>;
  isShown: boolean;
  /** Called with the current entry when the search is closed. */
  onClosed: (seq: number | null) => void;
};

/** The open search in a run: the bar over the steps, and the highlighted matches in them. */
export function RunFind({ finder, source, totalLogs, area, isShown, onClosed }: RunFindProps) {
  const { search, cursor, target } = useSnapshot(finder);
  const { data, error } = useQuery({
    ...findQuery(source, search ?? { q: "", around: 1, filter: null }, totalLogs),
    enabled: search !== null,
  });
  useEffect(() => {
    if (search !== null) finder.answered(search, data ?? null, error);
  }, [finder, search, data, error]);
  // Matches are often in code: its viewer should be loaded by the time one is found.
  useEffect(() => void fetchCodeTool(), []);
  const needle = isShown ? needleOf(search?.q ?? "") : "";
  const isUnseen = useFindMarks({ area, finder, needle, target });
  const close = () => {
    finder.close();
    onClosed(cursor?.hit.seq ?? null);
  };
  return <FindBar finder={finder} hidden={isUnseen ? (cursor?.hit ?? null) : null} onClose={close} />;
}
