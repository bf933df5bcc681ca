"use client";

import { useState } from "react";
import { flushSync } from "react-dom";
import { traceFilterKey } from "#components/trace/filter/trace-filter.ts";
import { parseEntry } from "#components/trace/log-windows.ts";
import type { usePageSearch } from "#components/trace/use-page-search.ts";
import { TraceReader } from "./trace-reader.ts";

/** The reader of the run that a page shows, for the life of the page. */
export function useTraceReader({ entry, filter, show }: ReturnType<typeof usePageSearch>): TraceReader {
  const [reader] = useState(
    () =>
      new TraceReader({
        address: { entry: parseEntry(entry), filterKey: traceFilterKey(filter) },
        write: show,
        renderNow: flushSync,
      }),
  );
  return reader;
}
