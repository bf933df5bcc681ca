"use client";

import { ExternalLink } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { FoldedText } from "#components/text/fold.tsx";
import { useSeqOffset, useStoredOpen, useTrace } from "#components/trace/reader/trace-context.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { tracePath } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

type RawJsonProps = {
  entry: LogEntry;
  /** Lines shown while it is folded. */
  head: number;
  /** Identifies the part, so that it stays open if the reader opened it. */
  openKey: string;
};

/** An entry as JSON, to read and copy, with a link to the same entry in the API. */
export function RawJson({ entry, head, openKey }: RawJsonProps) {
  const { source } = useTrace();
  const seq = entry.seq + useSeqOffset();
  const [isOpen, setOpen] = useStoredOpen(openKey);
  const json = useMemo(() => JSON.stringify({ ...entry, seq }, null, 2), [entry, seq]);
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-border bg-code">
      <div className="flex items-center gap-3 border-border border-b py-0.5 pr-1 pl-3 text-muted-foreground text-xs">
        <span className="tabular-nums">#{seq}</span>
        <span className="min-w-0 truncate">{entry.message_type}</span>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <ApiLink href={tracePath(source, "getLogEntry", { params: { seq: entry.seq } })}>API</ApiLink>
          <CopyButton text={json} label={`Copy entry ${seq}`} />
        </span>
      </div>
      <FoldedText text={json} head={head} isOpen={isOpen} onOpenChange={setOpen} className="py-2" />
    </div>
  );
}

/** Opens a response of the API beside the page. */
export function ApiLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="inline-flex items-center gap-1 text-link hover:underline">
      {children}
      <ExternalLink aria-hidden className="size-3" />
    </a>
  );
}
