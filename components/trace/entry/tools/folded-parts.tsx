"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";

/** A part of a tool's card that few readers need. */
export type FoldedPart = {
  /** Identifies the part of this entry, so that it stays open if the reader opened it. */
  openKey: string;
  label: string;
  /** The part's content: it opens if this contains a search match. */
  value: unknown;
  content: ReactNode;
};

/** Folded parts of a card, side by side on one line; open ones are below the line. */
export function FoldedParts({ parts }: { parts: readonly FoldedPart[] }) {
  if (parts.length === 0) return null;
  return (
    <div className="flex min-w-0 flex-wrap border-border border-t">
      {parts.map((part) => (
        <Folded key={part.openKey} part={part} />
      ))}
    </div>
  );
}

/** Buttons come first on the line, whichever parts are open. */
function Folded({ part: { openKey, label, value, content } }: { part: FoldedPart }) {
  const currentMatch = useCurrentMatch();
  const hidesMatch = currentMatch !== null && valueHolds(value, currentMatch.needle);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="order-1 flex min-w-0 items-center gap-1 px-3 py-1 text-left text-muted-foreground text-xs hover:text-foreground focus-visible:-outline-offset-2 pointer-coarse:min-h-9"
      >
        <ChevronRight aria-hidden className={cn("-ml-0.5 size-3.5 shrink-0", isOpen && "rotate-90")} />
        <span className="truncate">{label}</span>
      </button>
      {isOpen && (
        <section aria-label={label} className="order-2 w-full min-w-0 border-border border-t bg-code *:border-t-0">
          {content}
        </section>
      )}
    </>
  );
}
