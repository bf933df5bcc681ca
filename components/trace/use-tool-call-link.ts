"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { toolCallQuery } from "#lib/client/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { usePageSearch } from "./use-page-search.ts";

/** Leads from `?toolCallId=` to the entry of that tool call, whose number takes its place in the address. */
export function useToolCallLink(source: TraceSource, search: ReturnType<typeof usePageSearch>): void {
  const client = useQueryClient();
  const { toolCallId, show } = search;
  useEffect(() => {
    if (toolCallId === null || toolCallId === "") return;
    let isWanted = true;
    client.fetchQuery(toolCallQuery(source, toolCallId)).then(
      ({ seq }) => {
        if (!isWanted) return;
        if (seq === null) toast({ tone: "info", title: "The run has no such tool call", description: toolCallId });
        show(seq === null ? { toolCallId: null } : { toolCallId: null, entry: String(seq) }, "replace");
      },
      (error: unknown) => {
        if (!isWanted) return;
        const { detail } = describeError(error);
        toast({ tone: "error", title: "The tool call could not be looked up", description: detail });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [client, source, toolCallId, show]);
}
