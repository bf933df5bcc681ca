"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { logEntryQuery } from "#lib/client/pages/log-queries.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

type CopyPartProps = {
  entry: LogEntry;
  label: string;
  /** The part of an entry to copy. */
  textOf: (entry: LogEntry) => string;
};

/** Copies a complete part of an entry. If the entry was cut, it is read in full first. */
export function CopyPart({ entry, label, textOf }: CopyPartProps) {
  const { source } = useTrace();
  const client = useQueryClient();
  const text = async () => {
    const isCut = (entry.clipped ?? []).length > 0;
    return textOf(isCut ? await client.fetchQuery(logEntryQuery(source, entry.seq)) : entry);
  };
  return <CopyButton text={text} label={label} className="size-7" />;
}
