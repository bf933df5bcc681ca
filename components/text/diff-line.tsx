"use client";

import type { ReactNode } from "react";
import type { DiffGap, DiffLine } from "./diff-rows.ts";
import type { HighlightToken } from "./highlight-protocol.ts";
import { HighlightedLine } from "./highlighted-line.tsx";
import { rowHeightPx } from "./lazy-rows.tsx";
import type { RowChoice } from "./line-choice.ts";
import type { DiffSide } from "./pair-rows.ts";
import { rowLengthMax } from "./text-lines.ts";

const lineLooks = {
  same: { row: "", sign: " ", mark: "" },
  added: { row: "bg-diff-added", sign: "+", mark: "rounded-xs bg-diff-added-word" },
  removed: { row: "bg-diff-removed", sign: "−", mark: "rounded-xs bg-diff-removed-word" },
};

type LineRowProps = {
  line: DiffLine;
  tokens: readonly HighlightToken[] | null;
  digits: number;
  /** Version whose line number is shown; null for both, or for the one that exists. */
  side: DiffSide | null;
  choice: RowChoice | null;
};

/** One line of a diff, rowHeightPx high. */
export function LineRow({ line, tokens, digits, side, choice }: LineRowProps) {
  const look = lineLooks[line.kind];
  const text = line.text.slice(0, rowLengthMax);
  return (
    <div
      className={`flex ${look.row} ${choice?.isChosen ? "bg-accent! shadow-[inset_3px_0_var(--link)]" : ""}`}
      style={{ height: rowHeightPx }}
      data-row={choice?.name}
    >
      {side === null && (
        <LineNumber digits={digits} className="hidden sm:block">
          {line.oldLine}
        </LineNumber>
      )}
      {choice?.number ?? (
        <LineNumber digits={digits}>
          {side === null ? (
            <>
              <span className="sm:hidden">{line.newLine ?? line.oldLine}</span>
              <span className="hidden sm:inline">{line.newLine}</span>
            </>
          ) : side === "before" ? (
            line.oldLine
          ) : (
            line.newLine
          )}
        </LineNumber>
      )}
      <span className="w-6 shrink-0 select-none text-center">{look.sign}</span>
      <span className="whitespace-pre pr-3">
        <HighlightedLine text={text} tokens={tokens} marks={line.marks} markClassName={look.mark} />
        {line.text.length > rowLengthMax && (
          <span className="select-none text-muted-foreground">
            {` … ${(line.text.length - rowLengthMax).toLocaleString("en-US")} more characters`}
          </span>
        )}
        {line.endSign !== null && (
          <span className="ml-1 select-none font-sans text-status-waiting text-xs" data-line-end="">
            {/* Few fonts have the sign itself. */}
            {line.endSign === "␍" ? "CR" : line.endSign}
          </span>
        )}
      </span>
    </div>
  );
}

type LineNumberProps = { digits: number; className?: string; children: ReactNode };

function LineNumber({ digits, className = "", children }: LineNumberProps) {
  return (
    <span
      className={`shrink-0 select-none pl-2 text-right text-muted-foreground tabular-nums ${className}`}
      style={{ width: `calc(${digits}ch + 0.5rem)` }}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}

type GapRowProps = {
  gap: DiffGap;
  onOpen: (gap: DiffGap) => void;
  /** Whether it is the second half of a row whose other half has the text. */
  isEcho?: boolean;
  /** Whether the hidden lines can be fetched. */
  isOpenable?: boolean;
};

/** Unchanged lines that are folded, or not part of the patch; rowHeightPx high. */
export function GapRow({ gap, onOpen, isEcho = false, isOpenable = false }: GapRowProps) {
  const look = "block w-full truncate bg-muted px-3 text-left font-sans text-muted-foreground text-xs leading-5";
  if (gap.lines.length === 0 && !isOpenable) {
    return (
      <div className={look} style={{ height: rowHeightPx }}>
        {!isEcho && <>⋯ {gap.heading}</>}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`${look} hover:text-foreground`}
      style={{ height: rowHeightPx }}
      onClick={() => onOpen(gap)}
      {...(isEcho && pointerOnly)}
    >
      {!isEcho &&
        (gap.lines.length > 0 ? `⋯ ${gap.lines.length.toLocaleString("en-US")} unchanged lines` : "⋯ Show lines")}
      {!isEcho && gap.heading !== "" && <span className="pl-3 font-mono">{gap.heading}</span>}
    </button>
  );
}

/** The other half has the row's text as a button. */
const pointerOnly = { tabIndex: -1, "aria-hidden": true } as const;

/** Placeholder beside a line missing in the other version; rowHeightPx high. */
export function EmptyRow() {
  return <div className="bg-muted/60" style={{ height: rowHeightPx }} />;
}
