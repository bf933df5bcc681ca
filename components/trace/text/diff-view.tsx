"use client";

import { memo, type ReactNode, useCallback, useMemo, useState } from "react";
import { holds } from "#components/trace/find/find-text.ts";
import { useSought } from "#components/trace/find/sought.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Diff, DiffGap, DiffLine, DiffRow } from "./diff-rows.ts";
import { diffOfHunks, diffOfTexts } from "./diff-rows.ts";
import type { HighlightToken } from "./highlight-protocol.ts";
import { HighlightedLine } from "./highlighted-line.tsx";
import { languageOfPath } from "./languages.ts";
import { LazyRows, rowHeightPx } from "./lazy-rows.tsx";
import type { PatchHunk } from "./parse-patch.ts";
import { rowLengthMax } from "./text-lines.ts";
import { useHighlight } from "./use-highlight.ts";
import { useOnScreen } from "./use-on-screen.ts";

/**
 * Two versions of a file or of a part of it (`oldText` null: it is new; `firstLine` null: nobody knows where it begins), or
 * the hunks of a patch.
 */
export type DiffSource =
  | { oldText: string | null; newText: string; firstLine: number | null }
  | { hunks: readonly PatchHunk[] };

type DiffViewProps = {
  source: DiffSource;
  /** The file, for its language. */
  path: string;
  /** Rows shown before "Show all"; the rest is folded. */
  head?: number;
};

/** The comparison of a source. Bounded in time; keep it in useMemo, and show its counts with DiffCounts. */
export function diffOf(source: DiffSource): Diff {
  return "hunks" in source ? diffOfHunks(source.hunks) : diffOfTexts(source.oldText, source.newText, source.firstLine);
}

/** What was changed in one file, line by line: numbers, changed words, highlighting, unchanged stretches folded. */
export const DiffView = memo(function DiffView({ source, path, head = 200 }: DiffViewProps) {
  const diff = useMemo(() => diffOf(source), [source]);
  const [openGaps, setOpenGaps] = useState<ReadonlySet<number>>(new Set());
  const [isWhole, setIsWhole] = useState(false);
  const [ref, isOnScreen] = useOnScreen(300);
  const needle = useSought()?.needle ?? null;
  const rows = useMemo(() => {
    const gap = needle === null ? null : gapThatHides(diff.rows, needle);
    return withOpenGaps(diff.rows, gap === null ? openGaps : new Set(openGaps).add(gap));
  }, [diff, openGaps, needle]);
  const soughtRow = useMemo(
    () => (needle === null ? -1 : rows.findIndex((row) => row.kind !== "gap" && holds(row.text, needle))),
    [rows, needle],
  );
  const shown = isWhole || rows.length <= head + 3 || soughtRow >= head ? rows.length : head;
  const colours = useSides(diff, path, isOnScreen);
  const digits = useMemo(() => String(lastLineOf(diff)).length, [diff]);
  const open = useCallback((gap: DiffGap) => setOpenGaps((gaps) => new Set(gaps).add(gap.id)), []);
  const renderRows = useCallback(
    (from: number, to: number): ReactNode =>
      rows
        .slice(from, to)
        .map((row) =>
          row.kind === "gap" ? (
            <GapRow key={row.id} gap={row} onOpen={open} />
          ) : (
            <LineRow key={row.id} line={row} tokens={colours.get(row.id) ?? null} digits={digits} />
          ),
        ),
    [rows, colours, digits, open],
  );
  if (diff.rows.length === 0) return <p className="px-3 py-2 text-muted-foreground">No text changed.</p>;
  return (
    <div ref={ref} className="min-w-0 font-mono text-[13px] leading-5">
      {diff.isWholesale && (
        <p className="border-border border-b px-3 py-1 font-sans text-muted-foreground">
          The versions differ too much to be compared line by line.
        </p>
      )}
      <div className="overflow-x-auto" {...keyboardScrolled}>
        <div className="w-max min-w-full">
          <LazyRows count={shown} renderRows={renderRows} shown={soughtRow} />
        </div>
      </div>
      {shown < rows.length && (
        <Button
          variant="ghost"
          size="sm"
          className="m-1 font-sans text-muted-foreground"
          onClick={() => setIsWhole(true)}
        >
          Show all {rows.length.toLocaleString("en-US")} lines
        </Button>
      )}
    </div>
  );
});

/** What scrolls sideways must be reachable by the keyboard. */
const keyboardScrolled = { tabIndex: 0 };

const lineLooks = {
  same: { row: "", sign: " ", mark: "" },
  added: { row: "bg-diff-added", sign: "+", mark: "rounded-xs bg-diff-added-word" },
  removed: { row: "bg-diff-removed", sign: "−", mark: "rounded-xs bg-diff-removed-word" },
};

type LineRowProps = { line: DiffLine; tokens: readonly HighlightToken[] | null; digits: number };

function LineRow({ line, tokens, digits }: LineRowProps) {
  const look = lineLooks[line.kind];
  const text = line.text.slice(0, rowLengthMax);
  const number = "shrink-0 select-none text-right text-muted-foreground tabular-nums";
  return (
    <div className={`flex ${look.row}`} style={{ height: rowHeightPx }}>
      <span
        className={`${number} hidden pl-2 sm:block`}
        style={{ width: `calc(${digits}ch + 0.5rem)` }}
        aria-hidden="true"
      >
        {line.oldLine}
      </span>
      <span className={`${number} pl-2`} style={{ width: `calc(${digits}ch + 0.5rem)` }} aria-hidden="true">
        <span className="sm:hidden">{line.newLine ?? line.oldLine}</span>
        <span className="hidden sm:inline">{line.newLine}</span>
      </span>
      <span className="w-6 shrink-0 select-none text-center">{look.sign}</span>
      <span className="whitespace-pre pr-3">
        <HighlightedLine text={text} tokens={tokens} marks={line.marks} markClassName={look.mark} />
        {line.text.length > rowLengthMax && (
          <span className="select-none text-muted-foreground">
            {` … ${(line.text.length - rowLengthMax).toLocaleString("en-US")} more characters`}
          </span>
        )}
      </span>
    </div>
  );
}

function GapRow({ gap, onOpen }: { gap: DiffGap; onOpen: (gap: DiffGap) => void }) {
  const look = "block w-full bg-muted px-3 text-left font-sans text-muted-foreground text-xs leading-5";
  if (gap.lines.length === 0) {
    return (
      <div className={`${look} truncate`} style={{ height: rowHeightPx }}>
        ⋯ {gap.heading}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`${look} hover:text-foreground`}
      style={{ height: rowHeightPx }}
      onClick={() => onOpen(gap)}
    >
      ⋯ {gap.lines.length.toLocaleString("en-US")} unchanged lines
    </button>
  );
}

/** The first stretch of unchanged lines that holds a needle, where no line that is shown does. */
function gapThatHides(rows: readonly DiffRow[], needle: string): number | null {
  if (rows.some((row) => row.kind !== "gap" && holds(row.text, needle))) return null;
  const gap = rows.find((row) => row.kind === "gap" && row.lines.some((line) => holds(line.text, needle)));
  return gap?.id ?? null;
}

function withOpenGaps(rows: readonly DiffRow[], openGaps: ReadonlySet<number>): DiffRow[] {
  return rows.flatMap((row) => (row.kind === "gap" && openGaps.has(row.id) ? row.lines : [row]));
}

function linesOf(diff: Diff): DiffLine[] {
  return diff.rows.flatMap((row) => (row.kind === "gap" ? row.lines : [row]));
}

function lastLineOf(diff: Diff): number {
  return linesOf(diff).reduce((last, line) => Math.max(last, line.oldLine ?? 0, line.newLine ?? 0), 1);
}

/** The colours of every line, by its id. Each version is highlighted as one text, so that comments of several lines are seen. */
function useSides(diff: Diff, path: string, isWanted: boolean): ReadonlyMap<number, readonly HighlightToken[]> {
  const language = languageOfPath(path);
  const [before, after] = useMemo(() => {
    const lines = linesOf(diff);
    return [lines.filter((line) => line.kind !== "added"), lines.filter((line) => line.kind !== "removed")];
  }, [diff]);
  const beforeTokens = useHighlight(useJoined(before), language, isWanted);
  const afterTokens = useHighlight(useJoined(after), language, isWanted);
  return useMemo(() => {
    const found = new Map<number, readonly HighlightToken[]>();
    for (const [index, line] of before.entries()) found.set(line.id, beforeTokens?.[index] ?? []);
    for (const [index, line] of after.entries()) found.set(line.id, afterTokens?.[index] ?? []);
    return found;
  }, [before, after, beforeTokens, afterTokens]);
}

function useJoined(lines: readonly DiffLine[]): string {
  return useMemo(() => lines.map((line) => line.text).join("\n"), [lines]);
}
