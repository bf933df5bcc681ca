"use client";

import { Check } from "lucide-react";
import { type MouseEvent, type ReactNode, type Ref, useEffect, useState } from "react";
import { formatDuration } from "#components/shell/format-time.ts";
import { cn } from "#components/ui/class-names.ts";
import { toast } from "#components/ui/toast-store.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { entryLookOf, entryNameOf } from "./entry-look.ts";
import { useTrace } from "./trace-context.tsx";
import { searchOf } from "./use-page-search.ts";

type EntryPanelProps = {
  entry: LogEntry;
  totalLogs: number;
  /** The address names this entry. */
  isMarked: boolean;
  onMark: (seq: number) => void;
  measureRef: Ref<HTMLElement>;
  children: ReactNode;
};

/** What every card stands in: a thin rail with icon, time since the start and number, which is a link to the entry. */
export function EntryPanel({ entry, totalLogs, isMarked, onMark, measureRef, children }: EntryPanelProps) {
  const { label, icon: Icon, colour } = entryLookOf(entry);
  const isTurn = entry.message_type === "USER_MESSAGE";
  return (
    <article
      ref={measureRef}
      data-seq={entry.seq}
      data-marked={isMarked || undefined}
      aria-posinset={entry.seq}
      aria-setsize={totalLogs}
      aria-label={entryNameOf(entry)}
      {...programFocus}
      className={cn(
        "group/entry relative grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 px-4 py-2.5 outline-none sm:grid-cols-[64px_20px_minmax(0,1fr)]",
        "focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2",
        isTurn && "pt-5",
        isMarked && "bg-status-running/5 shadow-[inset_2px_0_0_var(--status-running)]",
      )}
    >
      <div className="col-start-2 mb-1 flex items-baseline gap-2 text-xs sm:col-start-1 sm:row-start-1 sm:mb-0 sm:flex-col sm:items-end sm:gap-0">
        <SinceStart at={entry.created_at} />
        <EntryLink seq={entry.seq} onMark={onMark} />
      </div>
      <div
        className="col-start-1 row-span-2 row-start-1 flex flex-col items-center gap-1.5 sm:col-start-2 sm:row-span-1"
        title={label}
      >
        <Icon aria-hidden className={cn("size-4 shrink-0", colour)} />
        <span aria-hidden className="w-px flex-1 bg-border" />
      </div>
      <div className="col-start-2 min-w-0 sm:col-start-3 sm:row-start-1">{children}</div>
    </article>
  );
}

/** j, k and links move the focus to a card, Tab does not stop at it. */
const programFocus = { tabIndex: -1 };

function SinceStart({ at }: { at: string }) {
  const { startedAtMs } = useTrace();
  if (startedAtMs === null) return null;
  const sinceMs = Date.parse(at) - startedAtMs;
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap text-muted-foreground tabular-nums leading-4">
      {formatDuration(sinceMs, { precise: true })}
    </time>
  );
}

const SAID_FOR_MS = 1500;

/** The number of an entry: a link to it. A plain click copies the link and marks the entry. */
function EntryLink({ seq, onMark }: { seq: number; onMark: (seq: number) => void }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const link = event.currentTarget.href;
    onMark(seq);
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      // Browsers refuse the clipboard on plain http: the link stands in the address bar now.
      toast({ tone: "info", title: `The address bar has the link to step ${seq}` });
    }
  }

  return (
    <a
      href={searchOf({ tab: "trace", entry: String(seq) })}
      onClick={copy}
      title="Copy the link to this step"
      aria-label={`Copy the link to step ${seq}`}
      className="inline-flex items-center gap-1 whitespace-nowrap rounded-sm text-muted-foreground tabular-nums leading-4 hover:text-foreground hover:underline"
    >
      {isCopied && <Check aria-hidden className="size-3 text-status-completed" />}
      <span aria-hidden>#{seq}</span>
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </a>
  );
}
