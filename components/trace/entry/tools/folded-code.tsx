"use client";

import { type ReactNode, useMemo } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { FoldButton } from "#components/text/fold-button.tsx";
import { useOpenForSought, useSought } from "#components/text/marks/sought.tsx";
import { isHidden } from "#components/text/marks/sought-place.ts";
import type { TextLines } from "#components/text/text-lines.ts";
import { useKeptOpen } from "#components/trace/reader/trace-context.tsx";

type FoldedCodeProps = {
  lines: TextLines;
  /** Lines shown while it is folded. */
  head: number;
  /** Identifies the part, so that it stays open if the reader opened it. */
  keptAs: string;
  /** Maximum length of the text shown. */
  children: (shown: string) => ReactNode;
};

/** If fewer lines than this would be hidden, they are shown: a button would take as much room. */
const slackLines = 3;

/** Code of any length: its first lines, and a button for the rest. */
export function FoldedCode({ lines, head, keptAs, children }: FoldedCodeProps) {
  const canFold = lines.count > head + slackLines;
  const sought = useSought();
  const hidesSought = useMemo(
    () => sought !== null && (sought.at !== null || isHidden(sought, lines.text, lines.slice(0, head))),
    [sought, lines, head],
  );
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(keptAs), hidesSought);
  return (
    <>
      {children(canFold && !isOpen ? lines.slice(0, head) : lines.text)}
      {canFold && (
        <FoldButton isOpen={isOpen} label={`Show all ${formatCountOf(lines.count, "line")}`} onChange={setOpen} />
      )}
    </>
  );
}
