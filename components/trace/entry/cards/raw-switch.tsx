"use client";

import { Suspense } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import type { CardProps } from "./card-props.ts";

const LazyRawEntry = lazyPart(async () => (await import("./raw-entry.tsx")).RawEntry);

/** A stored entry, once its viewer is loaded. */
export function RawEntry({ entry }: CardProps) {
  return (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <LazyRawEntry entry={entry} />
    </Suspense>
  );
}

type RawToggleProps = { seq: number; isRaw: boolean; onChange: (isRaw: boolean) => void };

/** Switches a card between its content and the stored entry. Hidden until the pointer or the keyboard is on the card. */
export function RawToggle({ seq, isRaw, onChange }: RawToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isRaw}
      aria-label={`Step ${seq} as stored`}
      title={isRaw ? "Show the card" : "Show as stored"}
      onClick={() => onChange(!isRaw)}
      // Below the step's number; in compact density there is no room for a third line, so it is before the number.
      className={`select-none rounded-sm leading-4 hover:text-foreground hover:underline sm:absolute sm:mt-8 sm:compact:left-1 sm:compact:mt-4 ${
        isRaw
          ? "text-foreground"
          : "text-muted-foreground focus-visible:opacity-100 group-hover/entry:opacity-100 [@media(hover:hover)]:opacity-0"
      }`}
    >
      Raw
    </button>
  );
}
