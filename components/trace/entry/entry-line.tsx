"use client";

import type { Ref } from "react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import { entryHeightGuess } from "./missing-entry.tsx";
import { entryLookOf } from "./parts/entry-look.ts";
import { entryView } from "./parts/entry-meaning.ts";

type EntryLineProps = {
  entry: LogEntry;
  /** Position in the list, from 0. */
  index: number;
  count: number | null;
  measureRef: Ref<HTMLElement>;
};

/** Characters of a headline: more than fit on a line. */
const headlineMax = 120;

/** An entry on one line, shown while the list scrolls too fast to render cards, so that readers see where they are. */
export function EntryLine({ entry, index, count, measureRef }: EntryLineProps) {
  const shown = entry.seq + useSeqOffset();
  const { label, icon: Icon, color } = entryLookOf(entry);
  const headline = entry.message_type === "ACTION" ? headlineOf(entryView(entry)).slice(0, headlineMax) : "";
  return (
    <article
      ref={measureRef}
      data-seq={entry.seq}
      data-index={index}
      data-placeholder
      aria-posinset={index + 1}
      aria-setsize={count ?? -1}
      aria-label={`Step ${shown}, loading`}
      className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 overflow-hidden px-4 py-2.5 text-muted-foreground text-xs leading-4 sm:grid-cols-[64px_20px_minmax(0,1fr)]"
      style={{ height: entryHeightGuess }}
    >
      <span className="hidden text-right tabular-nums sm:block">#{shown}</span>
      <Icon aria-hidden className={cn("size-4", color)} />
      <span className="truncate">
        <VisibleText text={`${label} ${headline}`} />
      </span>
    </article>
  );
}
