"use client";

import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useMemo } from "react";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { useKeptOpen, useTrace } from "#components/trace/trace-context.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { logEntryQuery } from "#lib/client/log-queries.ts";
import { tracePath } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { getLogEntry } from "#lib/contract/run-operations.ts";
import type { CardProps } from "./card-props.ts";

/** An entry as it is stored, whole: its JSON, to read and to copy. */
export function RawEntry({ entry }: CardProps) {
  const { source } = useTrace();
  const isCut = (entry.clipped ?? []).length > 0;
  const whole = useQuery({ ...logEntryQuery(source, entry.seq), enabled: isCut });
  const shown = isCut ? whole.data : entry;
  if (shown !== undefined) return <RawJson entry={shown} />;
  if (whole.error !== null) {
    return (
      <ErrorAlert
        title="The entry could not be read"
        {...describeError(whole.error)}
        onRetry={() => void whole.refetch()}
      />
    );
  }
  return <Skeleton className="h-40" />;
}

function RawJson({ entry }: { entry: LogEntry }) {
  const { source } = useTrace();
  const [isOpen, setOpen] = useKeptOpen(`${entry.seq}.json`);
  const json = useMemo(() => JSON.stringify(entry, null, 2), [entry]);
  return (
    <div data-raw className="min-w-0 overflow-hidden rounded-md border border-border bg-code">
      <div className="flex items-center gap-3 border-border border-b py-0.5 pr-1 pl-3 text-muted-foreground text-xs">
        <span className="min-w-0 truncate">{entry.message_type}</span>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <a
            href={tracePath(source, getLogEntry, { params: { seq: entry.seq } })}
            target="_blank"
            rel="noopener"
            className="inline-flex items-center gap-1 text-link hover:underline"
          >
            API
            <ExternalLink aria-hidden className="size-3" />
          </a>
          <CopyButton text={json} label={`Copy entry ${entry.seq}`} />
        </span>
      </div>
      <FoldedText text={json} head={40} isOpen={isOpen} onOpenChange={setOpen} className="py-2" />
    </div>
  );
}
