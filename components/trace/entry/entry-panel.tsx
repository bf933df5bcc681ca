"use client";

import { Check } from "lucide-react";
import { type MouseEvent, memo, type ReactNode, useEffect, useState } from "react";
import { formatDuration } from "#components/shell/format-time.ts";
import { searchOf } from "#components/trace/reader/address-bar.ts";
import { isForTheBrowser } from "#components/trace/reader/step-link.tsx";
import { useSeqOffset, useStoredOpen, useTrace } from "#components/trace/reader/trace-context.tsx";
import { useCopyLink } from "#components/trace/reader/use-copy-link.ts";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { EntryCard } from "./cards/entry-card.tsx";
import { RawEntry, RawToggle } from "./cards/raw-switch.tsx";
import { entryLookOf, entryNameOf } from "./parts/entry-look.ts";
import { type Joined, JoinedProvider } from "./parts/joined.tsx";

export type EntryPanelProps = {
  entry: LogEntry;
  /** Position in the list, from 0, and the length of the list; null while unknown. */
  index: number;
  count: number | null;
  /** The address names this entry. */
  isMarked: boolean;
  onMark: (seq: number) => void;
  /** Content of the card if it is not the whole entry. */
  renderCard?: ((entry: LogEntry, nextSeq: number | null) => ReactNode) | undefined;
  /** Seq of the entry after this one in the list, for the last one that of the run's next entry; null while unknown. */
  nextSeq: number | null;
} & Joined;

/**
 * Frame of every card, with a thin rail: icon, time since the start, and the entry's number, which is a link to it. Renders again
 * only when this entry changes, not with every loaded window of the list.
 */
export const EntryPanel = memo(function EntryPanel(props: EntryPanelProps) {
  const { entry, index, count, isMarked, onMark, renderCard, nextSeq, link, isJoined } = props;
  const { label, icon: Icon, color } = entryLookOf(entry);
  const offset = useSeqOffset();
  const isTurn = entry.message_type === "USER_MESSAGE";
  const [isRaw, setRaw] = useStoredOpen(`${entry.seq}.turned`);
  return (
    <article
      data-seq={entry.seq}
      data-index={index}
      data-marked={isMarked || undefined}
      aria-posinset={index + 1}
      aria-setsize={count ?? -1}
      aria-label={entryNameOf(entry, entry.seq + offset)}
      {...programFocus}
      className={cn(
        "group/entry relative grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 px-4 py-2.5 outline-none compact:py-1 compact:text-[13px] compact:leading-5 sm:grid-cols-[64px_20px_minmax(0,1fr)]",
        "focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2",
        isTurn && "pt-5 compact:pt-2.5",
        isMarked &&
          "bg-status-running/5 [--surface:color-mix(in_oklab,var(--status-running)_5%,var(--background))] shadow-[inset_2px_0_0_var(--status-running)]",
      )}
    >
      <div className="col-start-2 mb-1 flex items-baseline gap-2 text-xs sm:col-start-1 sm:row-start-1 sm:mb-0 sm:flex-col sm:items-end sm:gap-0">
        <SinceStart at={entry.created_at} />
        <EntryLink seq={entry.seq} onMark={onMark} />
        <RawToggle seq={entry.seq + offset} isRaw={isRaw} onChange={setRaw} />
      </div>
      <div
        className="col-start-1 row-span-2 row-start-1 flex flex-col items-center gap-1.5 sm:col-start-2 sm:row-span-1"
        title={label}
      >
        <Icon aria-hidden className={cn("size-4 shrink-0", color)} />
        <span aria-hidden className="w-px flex-1 bg-border" />
      </div>
      <div data-body className="col-start-2 min-w-0 sm:col-start-3 sm:row-start-1">
        {isRaw ? (
          <RawEntry entry={entry} />
        ) : (
          (renderCard?.(entry, nextSeq) ?? (
            <JoinedProvider {...{ link, isJoined }}>
              <EntryCard entry={entry} />
            </JoinedProvider>
          ))
        )}
      </div>
    </article>
  );
});

/** The focus moves to a card with j, k and links; Tab does not stop at it. */
const programFocus = { tabIndex: -1 };

/** Time since the start of the run. */
export function SinceStart({ at }: { at: string }) {
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

type EntryLinkProps = {
  seq: number;
  /** Number of the last entry, if the link stands for several. */
  lastSeq?: number;
  onMark: (seq: number) => void;
};

/** Number of an entry: a link to it. A plain click copies the link and marks the entry. */
export function EntryLink({ seq, lastSeq = seq, onMark }: EntryLinkProps) {
  const [isCopied, setCopied] = useState(false);
  const copyLink = useCopyLink(onMark);
  const offset = useSeqOffset();
  const [shown, lastShown] = [seq + offset, lastSeq + offset];
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(event: MouseEvent<HTMLAnchorElement>) {
    if (isForTheBrowser(event)) return;
    event.preventDefault();
    if (await copyLink(seq)) setCopied(true);
  }

  return (
    <a
      href={searchOf({ tab: "trace", entry: String(shown) })}
      onClick={copy}
      title="Copy the link to this step"
      aria-label={`Copy the link to step ${shown}`}
      className="inline-flex items-center gap-1 whitespace-nowrap rounded-sm text-muted-foreground tabular-nums leading-4 hover:text-foreground hover:underline"
    >
      {isCopied && <Check aria-hidden className="size-3 text-status-completed" />}
      <span aria-hidden>{lastSeq === seq ? `#${shown}` : `#${shown}–${lastShown}`}</span>
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </a>
  );
}
