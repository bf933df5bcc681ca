"use client";

import { useMemo } from "react";
import { FoldButton } from "#components/text/fold-button.tsx";
import { Markdown } from "#components/text/markdown.tsx";
import { useCurrentMatch, useOpenForMatch, useWholeEntry } from "#components/text/marks/current-match.tsx";
import { isFarDown } from "#components/text/marks/match-place.ts";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { cutText } from "#lib/cut-text.ts";

type FoldedMarkdownProps = {
  text: string;
  /** Identifies this part of the entry, so that it stays open if the reader opened it. */
  openKey: string;
  /** Texts below both limits are not folded. */
  charactersMax?: number;
  linesMax?: number;
  className?: string;
  /** Whether an h2 is above it. */
  isTitled?: boolean;
  /** Whether an agent got it as a prompt. */
  isPrompt?: boolean;
};

/** Markdown of any length; a long one is cut off above a button. */
export function FoldedMarkdown({
  text,
  openKey,
  charactersMax = 1_600,
  linesMax = 24,
  className,
  isTitled = false,
  isPrompt = false,
}: FoldedMarkdownProps) {
  const currentMatch = useCurrentMatch();
  const hidesMatch = useMemo(() => isFarDown(currentMatch, text), [currentMatch, text]);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  const whole = useWholeEntry();
  const canFold = text.length > charactersMax || text.split("\n", linesMax + 1).length > linesMax;
  const isFolded = canFold && !isOpen;
  return (
    <div className="min-w-0">
      <div
        className={isFolded ? foldedClasses : undefined}
        // The hidden part must not be reachable by keyboard.
        inert={isFolded}
      >
        <Markdown text={isFolded ? beginningOf(text) : text} className={className} {...{ isTitled, isPrompt }} />
      </div>
      {canFold && (
        <FoldButton
          isOpen={isOpen}
          label="Show all"
          onChange={(next) => {
            if (next) whole.ask();
            setOpen(next);
          }}
          className="m-0 -ml-2"
        />
      )}
    </div>
  );
}

/**
 * Fades out with a cover: a mask would be redrawn in every frame while scrolling. Backgrounds other than the page's set
 * `--surface`.
 */
const foldedClasses =
  "relative max-h-72 overflow-hidden after:pointer-events-none after:absolute after:inset-x-0 after:top-54 after:h-18 after:[background:linear-gradient(to_top,var(--surface,var(--background)),transparent)]";

/** Enough text to fill a folded one. */
function beginningOf(text: string): string {
  return cutText(text, 6_000);
}
