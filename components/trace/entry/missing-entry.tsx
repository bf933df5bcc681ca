"use client";

import type { Ref } from "react";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { describeError } from "#lib/client/client-error.ts";

/** Assumed height of a card before any has been seen, in px: a command with a few lines of output. */
export const entryHeightGuess = 220;

type MissingEntryProps = {
  /** Position in the list, from 0. */
  index: number;
  count: number | null;
  /** Null while the entry at this position is unknown. */
  seq: number | null;
  /** Reason it could not be loaded; null while loading. */
  error: Error | null;
  onRetry: () => void;
  measureRef: Ref<HTMLElement>;
};

/** Placeholder for an entry that is not loaded. */
export function MissingEntry({ index, count, seq, error, onRetry, measureRef }: MissingEntryProps) {
  const offset = useSeqOffset();
  const name = seq === null ? "A step" : `Step ${seq + offset}`;
  return (
    <article
      ref={measureRef}
      data-seq={seq ?? undefined}
      data-index={index}
      data-placeholder={error === null || undefined}
      aria-posinset={index + 1}
      aria-setsize={count ?? -1}
      aria-label={error === null ? `${name}, loading` : `${name}, not loaded`}
      className="relative grid content-start gap-2 overflow-hidden px-4 py-2.5 sm:pl-28"
      style={error === null ? { height: entryHeightGuess } : undefined}
    >
      {error === null ? (
        <>
          {seq !== null && (
            // Visible at once, unlike skeletons: it shows the position while scrolling.
            <span
              aria-hidden
              className="absolute top-2.5 left-4 hidden w-16 text-right text-muted-foreground text-xs tabular-nums leading-4 sm:block"
            >
              #{seq + offset}
            </span>
          )}
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-40" />
        </>
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-[13px] text-muted-foreground">
          {name} could not be loaded: {describeError(error).detail}
          <Button variant="outline" size="sm" onClick={onRetry}>
            Try again
          </Button>
        </p>
      )}
    </article>
  );
}
