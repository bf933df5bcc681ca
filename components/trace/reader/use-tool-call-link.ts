"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { toolCallQuery } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { TraceReader } from "./trace-reader.ts";

/** Resolves `?toolCallId=` to the entry of that tool call, whose number replaces it in the address. */
export function useToolCallLink(source: TraceSource, toolCallId: string | null, reader: TraceReader): void {
  const client = useQueryClient();
  useEffect(() => {
    if (toolCallId === null || toolCallId === "") return;
    let isWanted = true;
    client.fetchQuery(toolCallQuery(source, toolCallId)).then(
      ({ seq }) => {
        if (!isWanted) return;
        if (seq === null) toast({ tone: "info", title: "The run has no such tool call", description: toolCallId });
        reader.resolveLink(seq);
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
  }, [client, source, toolCallId, reader]);
}
