"use client";

import { useMemo } from "react";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { isFarDown } from "#components/trace/find/sought-place.ts";
import { Markdown } from "#components/trace/text/markdown.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";

type FoldedMarkdownProps = {
  text: string;
  /** Names this part of this entry, so that what the reader opened stays open. */
  keptAs: string;
  /** Texts with less than both are not folded. */
  charactersMax?: number;
  linesMax?: number;
  className?: string;
};

/** Markdown of any length; a long one shows its beginning and a button. */
export function FoldedMarkdown({ text, keptAs, charactersMax = 1_600, linesMax = 24, className }: FoldedMarkdownProps) {
  const sought = useSought();
  const hidesSought = useMemo(() => isFarDown(sought, text), [sought, text]);
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(keptAs), hidesSought);
  const canFold = text.length > charactersMax || text.split("\n", linesMax + 1).length > linesMax;
  const isFolded = canFold && !isOpen;
  return (
    <div className="min-w-0">
      <div
        className={isFolded ? foldedClasses : undefined}
        // What is cut off must not be reached by the keyboard.
        inert={isFolded}
      >
        <Markdown text={isFolded ? beginningOf(text) : text} className={className} />
      </div>
      {canFold && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 text-muted-foreground"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
    </div>
  );
}

/**
 * Fades into what it stands on, by a cover: a mask would have to be drawn anew in every frame in which the list is scrolled. What
 * is of another colour than the page says so by `--surface`.
 */
const foldedClasses =
  "relative max-h-72 overflow-hidden after:pointer-events-none after:absolute after:inset-x-0 after:top-54 after:h-18 after:[background:linear-gradient(to_top,var(--surface,var(--background)),transparent)]";

/** Enough of a text to fill the room of a folded one. */
function beginningOf(text: string): string {
  return text.length > 6_000 ? text.slice(0, 6_000).toWellFormed() : text;
}
