"use client";

import { memo, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { useDiffLayout } from "./diff-layout.ts";
import { EmptyRow, GapRow, LineRow } from "./diff-line.tsx";
import type { Diff, DiffGap, DiffLine, DiffRow } from "./diff-rows.ts";
import { type DiffSource, diffOf } from "./diff-source.ts";
import type { HighlightToken } from "./highlight-protocol.ts";
import { languageOfPath } from "./languages.ts";
import { LazyRows } from "./lazy-rows.tsx";
import { type ChoosingLines, ChoosingLinesContext } from "./line-choice.ts";
import { useCurrentMatch } from "./marks/current-match.tsx";
import { holds } from "./marks/find-text.ts";
import { type DiffSide, pairRows } from "./pair-rows.ts";
import { useHasRoom } from "./use-has-room.ts";
import { useHighlight } from "./use-highlight.ts";
import { useOnScreen } from "./use-on-screen.ts";

type DiffViewProps = {
  source: DiffSource;
  /** Path of the file, which determines the language. */
  path: string;
  /** Rows shown before "Show all"; the rest is folded. */
  head?: number;
  /** Fetches the lines around the hunks of a patch, if they are missing; they arrive with the next source. */
  onWantWhole?: (() => void) | undefined;
};

/** Below this width, lines in two columns would be cut off more often than not. */
const sideBySideFromPx = 640;

/** Changes to one file, line by line: numbers, changed words, highlighting, unchanged lines folded. */
export const DiffView = memo(function DiffView({ source, path, head = 200, onWantWhole }: DiffViewProps) {
  const diff = useMemo(() => diffOf(source), [source]);
  const [openGaps, setOpenGaps] = useState<ReadonlySet<number>>(new Set());
  const [isWhole, setIsWhole] = useState(false);
  const [ref, isOnScreen] = useOnScreen(300);
  const needle = useCurrentMatch()?.needle ?? null;
  const rows = useMemo(() => {
    const gap = needle === null ? null : gapThatHides(diff.rows, needle);
    return withOpenGaps(diff.rows, gap === null ? openGaps : new Set(openGaps).add(gap));
  }, [diff, openGaps, needle]);
  const { layout, isKnown } = useDiffLayout();
  const [roomRef, hasRoom] = useHasRoom(sideBySideFromPx, layout === "side-by-side");
  const columns = useMemo(() => columnsOf(rows, hasRoom), [rows, hasRoom]);
  const count = columns[0]?.rows.length ?? 0;
  const matchRow = useMemo(
    () => (needle === null ? -1 : leastOf(columns.map((column) => column.rows.findIndex((row) => shows(row, needle))))),
    [columns, needle],
  );
  const shown = isWhole || count <= head + 3 || matchRow >= head ? count : head;
  const colors = useSides(diff, path, isOnScreen);
  const digits = useMemo(() => String(lastLineOf(diff)).length, [diff]);
  const open = useCallback(
    (gap: DiffGap) => {
      setOpenGaps((gaps) => new Set(gaps).add(gap.id));
      if (gap.lines.length === 0) onWantWhole?.();
    },
    [onWantWhole],
  );
  const useChoosing = useContext(ChoosingLinesContext);
  const choosing = useChoosing(rows);
  if (diff.rows.length === 0) return <p className="px-3 py-2 text-muted-foreground">No text changed.</p>;
  return (
    <div ref={ref} className="min-w-0 font-mono text-[13px] leading-5">
      {diff.isWholesale && (
        <p className="border-border border-b px-3 py-1 font-sans text-muted-foreground">
          The versions differ too much to compare line by line.
        </p>
      )}
      <div
        ref={roomRef}
        data-diff-unsettled={isKnown ? undefined : ""}
        className={hasRoom ? "grid grid-cols-2 divide-x divide-border" : undefined}
        {...choosing?.handlers}
      >
        {columns.map((column) => (
          <Column
            key={column.side}
            {...column}
            {...{ shown, matchRow, colors, digits, open }}
            rowOf={choosing?.rowOf}
            isOpenable={onWantWhole !== undefined}
          />
        ))}
      </div>
      {shown < count && (
        <Button
          variant="ghost"
          size="sm"
          className="m-1 font-sans text-muted-foreground"
          onClick={() => setIsWhole(true)}
        >
          Show all {count.toLocaleString("en-US")} lines
        </Button>
      )}
    </div>
  );
});

type Column = { side: DiffSide | null; rows: readonly (DiffRow | null)[] };

function columnsOf(rows: readonly DiffRow[], isSideBySide: boolean): Column[] {
  if (!isSideBySide) return [{ side: null, rows }];
  const pairs = pairRows(rows);
  return [
    { side: "before", rows: pairs.map(({ before }) => before) },
    { side: "after", rows: pairs.map(({ after }) => after) },
  ];
}

type ColumnProps = Column & {
  /** Number of rows from the first. */
  shown: number;
  matchRow: number;
  colors: ReadonlyMap<number, readonly HighlightToken[]>;
  digits: number;
  open: (gap: DiffGap) => void;
  rowOf: ChoosingLines["rowOf"] | undefined;
  isOpenable: boolean;
};

/** Rows of a diff, or of one of its sides; long lines scroll. */
function Column({ side, rows, shown, matchRow, colors, digits, open, rowOf, isOpenable }: ColumnProps) {
  const renderRows = useCallback(
    (from: number, to: number): ReactNode =>
      rows.slice(from, to).map((row, place) => {
        if (row === null) return <EmptyRow key={`empty ${from + place}`} />;
        if (row.kind === "gap")
          return <GapRow key={row.id} gap={row} onOpen={open} isEcho={side === "after"} isOpenable={isOpenable} />;
        const tokens = colors.get(row.id) ?? null;
        const choice = rowOf?.(row, digits, side) ?? null;
        return <LineRow key={row.id} line={row} {...{ tokens, digits, side, choice }} />;
      }),
    [rows, colors, digits, open, side, rowOf, isOpenable],
  );
  const textOf = useCallback(
    (from: number, to: number) =>
      rows
        .slice(from, to)
        .flatMap((row) => (row === null || row.kind === "gap" ? [] : [row.text]))
        .join("\n"),
    [rows],
  );
  return (
    <div
      className="min-w-0 overflow-x-auto"
      data-lines=""
      data-selectable=""
      {...scrolledByKeyboard}
      {...(side !== null && sideNames[side])}
    >
      <div className="w-max min-w-full">
        <LazyRows count={shown} renderRows={renderRows} textOf={textOf} shown={matchRow} />
      </div>
    </div>
  );
}

const sideNames = {
  before: { role: "group", "aria-label": "Before" },
  after: { role: "group", "aria-label": "After" },
};

function shows(row: DiffRow | null, needle: string): boolean {
  return row !== null && row.kind !== "gap" && holds(row.text, needle);
}

/** The lowest valid position; -1 if there is none. */
function leastOf(places: readonly number[]): number {
  const found = places.filter((place) => place !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** The first folded lines that contain a match, if no visible line does. */
function gapThatHides(rows: readonly DiffRow[], needle: string): number | null {
  if (rows.some((row) => shows(row, needle))) return null;
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

/** Colors of every line, by id. Each version is highlighted as one text, so that multi-line comments are recognized. */
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
