"use client";

import { type ReactNode, useMemo } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { FoldButton } from "#components/text/fold-button.tsx";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { isHidden } from "#components/text/marks/match-place.ts";
import type { TextLines } from "#components/text/text-lines.ts";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";

type FoldedCodeProps = {
  lines: TextLines;
  /** Lines shown while it is folded. */
  head: number;
  /** Identifies the part, so that it stays open if the reader opened it. */
  openKey: string;
  /** Maximum length of the text shown. */
  children: (shown: string) => ReactNode;
};

/** If fewer lines than this would be hidden, they are shown: a button would take as much room. */
const slackLines = 3;

/** Code of any length: its first lines, and a button for the rest. */
export function FoldedCode({ lines, head, openKey, children }: FoldedCodeProps) {
  const canFold = lines.count > head + slackLines;
  const currentMatch = useCurrentMatch();
  const hidesMatch = useMemo(
    () =>
      currentMatch !== null && (currentMatch.at !== null || isHidden(currentMatch, lines.text, lines.slice(0, head))),
    [currentMatch, lines, head],
  );
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  return (
    <>
      {children(canFold && !isOpen ? lines.slice(0, head) : lines.text)}
      {canFold && (
        <FoldButton isOpen={isOpen} label={`Show all ${formatCountOf(lines.count, "line")}`} onChange={setOpen} />
      )}
    </>
  );
}
