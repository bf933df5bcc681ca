"use client";

import { memo, type ReactNode, useCallback, useMemo, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { FoldedText } from "./fold.tsx";
import { HighlightedLine } from "./highlighted-line.tsx";
import type { Language } from "./languages.ts";
import { languageOfName, languageOfPath } from "./languages.ts";
import { LazyRows, rowHeightPx } from "./lazy-rows.tsx";
import { type CurrentMatch, useCurrentMatch } from "./marks/current-match.tsx";
import { findMatches, placeOf, rowOfPlace } from "./marks/find-text.ts";
import { rowLengthMax, rowsOfLine } from "./text-lines.ts";
import { useHighlight } from "./use-highlight.ts";
import { useOnScreen } from "./use-on-screen.ts";
import { VisibleText } from "./visible-text.tsx";

type CodeBlockProps = {
  text: string;
  /** Language given by the author; shown as the label. */
  language?: string;
  /** File name of the text. Used as the label, and for the language if none is named. */
  path?: string | undefined;
  /** Number of the first line; if absent, lines are not numbered. */
  firstLine?: number;
  /** Lines shown before "Show all"; if absent, all are shown. */
  head?: number;
  /** No frame and no bar above, for cards that already have them. */
  bare?: boolean;
};

/** Longer texts are not code that anybody reads: they are shown as output, in pages. */
const codeLengthMax = 1_000_000;

/** Code with a label and a copy button. Up to 200,000 characters are highlighted once they are near the view. */
export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps) {
  const { text, language = "", path, firstLine, head, bare = false } = props;
  const known = languageOfName(language) ?? (path === undefined ? null : languageOfPath(path));
  const code =
    text.length > codeLengthMax ? (
      <FoldedText text={text} head={head ?? 100} />
    ) : (
      <CodeLines text={text} language={known} firstLine={firstLine} head={head} />
    );
  if (bare) return code;
  return (
    <div dir="ltr" className="min-w-0 overflow-hidden rounded-md border border-border bg-code">
      <div className="flex items-center justify-between gap-2 border-border border-b py-0.5 pr-1 pl-3 text-muted-foreground text-xs">
        <span
          className="min-w-0 [overflow-wrap:anywhere]"
          title={path === undefined ? undefined : "The file this block is for"}
        >
          <VisibleText text={(path ?? language) || "text"} />
        </span>
        <CopyButton text={text} label="Copy code" />
      </div>
      {code}
    </div>
  );
});

type CodeLinesProps = { text: string; language: Language | null; firstLine?: number; head?: number };

function CodeLines({ text, language, firstLine, head }: CodeLinesProps) {
  const [ref, isOnScreen] = useOnScreen(300);
  const [isWhole, setIsWhole] = useState(false);
  const body = useMemo(() => text.replaceAll("\r\n", "\n").replace(/\n$/, ""), [text]);
  const rows = useMemo(() => codeRows(body), [body]);
  const tokens = useHighlight(body, language, isOnScreen);
  const lineCount = (rows.at(-1)?.line ?? 0) + 1;
  const digits = String((firstLine ?? 0) + lineCount - 1).length;
  const currentMatch = useCurrentMatch();
  const marked = useMemo(() => matchRow(rows, text, currentMatch), [rows, text, currentMatch]);
  const hasAll = isWhole || head === undefined || rows.length <= head + 3 || (marked !== null && marked.row >= head);
  const shown = hasAll ? rows.length : head;
  const renderRows = useCallback(
    (from: number, to: number): ReactNode =>
      rows.slice(from, to).map((row, index) => (
        <div
          key={row.id}
          className="flex px-3"
          style={{ height: rowHeightPx }}
          data-current-match={marked !== null && from + index === marked.row ? marked.nth : undefined}
        >
          {firstLine !== undefined && (
            <span
              className="mr-4 shrink-0 select-none text-right text-muted-foreground tabular-nums"
              style={{ width: `${digits}ch` }}
              aria-hidden="true"
            >
              {row.isFirst ? firstLine + row.line : ""}
            </span>
          )}
          <span className="whitespace-pre">
            <HighlightedLine text={row.text} tokens={row.isWhole ? (tokens?.[row.line] ?? null) : null} />
          </span>
        </div>
      )),
    [rows, tokens, firstLine, digits, marked],
  );
  const textOf = useCallback(
    (from: number, to: number) =>
      rows
        .slice(from, to)
        .map((row) => row.text)
        .join("\n"),
    [rows],
  );
  return (
    <div ref={ref} data-selectable="">
      <div className="overflow-x-auto py-2 font-mono text-[13px] leading-5" {...scrolledByKeyboard}>
        <code className="block w-max min-w-full">
          <LazyRows count={shown} renderRows={renderRows} textOf={textOf} shown={marked?.row} />
        </code>
      </div>
      {shown < rows.length && (
        <Button variant="ghost" size="sm" className="m-1 text-muted-foreground" onClick={() => setIsWhole(true)}>
          Show all {lineCount.toLocaleString("en-US")} lines
        </Button>
      )}
    </div>
  );
}

type CodeRow = { id: string; line: number; text: string; isFirst: boolean; isWhole: boolean };

/** The row with the match, and which match of the row it is. */
function matchRow(
  rows: readonly CodeRow[],
  text: string,
  currentMatch: CurrentMatch | null,
): { row: number; nth: number } | null {
  if (currentMatch === null) return null;
  const at = currentMatch.at ?? findMatches(text, currentMatch.needle, 1)[0]?.from;
  return at === undefined ? null : rowOfPlace(rows, currentMatch.needle, placeOf(text, currentMatch.needle, at));
}

function codeRows(text: string): CodeRow[] {
  return text.split("\n").flatMap((line, index) =>
    rowsOfLine(line).map((part, place) => ({
      id: `${index}.${place}`,
      line: index,
      text: part,
      isFirst: place === 0,
      isWhole: line.length <= rowLengthMax,
    })),
  );
}
