"use client";

import { memo, type ReactNode, useCallback, useMemo } from "react";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { HighlightedLine } from "./highlighted-line.tsx";
import { languageOfName, languageOfPath } from "./languages.ts";
import { LazyRows, rowHeightPx } from "./lazy-rows.tsx";
import { rowLengthMax, rowsOfLine } from "./text-lines.ts";
import { useHighlight } from "./use-highlight.ts";
import { useOnScreen } from "./use-on-screen.ts";

type CodeBlockProps = {
  text: string;
  /** The language as its author named it; shown as the label. */
  language?: string;
  /** The file the text is from: its language when none is named, and the label. */
  path?: string;
  /** The number of the first line; without it lines are not numbered. */
  firstLine?: number;
  /** Without a frame and a bar above it, where the card has them already. */
  bare?: boolean;
};

/** Code with a label and a copy button. Plain at first; coloured when it has come near the view, up to 200,000 characters. */
export const CodeBlock = memo(function CodeBlock({
  text,
  language = "",
  path,
  firstLine,
  bare = false,
}: CodeBlockProps) {
  const [ref, isOnScreen] = useOnScreen(300);
  const known = languageOfName(language) ?? (path === undefined ? null : languageOfPath(path));
  const body = text.replace(/\r\n/g, "\n").replace(/\n$/, "");
  const tokens = useHighlight(body, known, isOnScreen);
  const rows = useMemo(() => codeRows(body), [body]);
  const digits = String((firstLine ?? 0) + (rows.at(-1)?.line ?? 0)).length;
  const renderRows = useCallback(
    (from: number, to: number): ReactNode =>
      rows.slice(from, to).map((row) => (
        <div key={row.id} className="flex px-3" style={{ height: rowHeightPx }}>
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
    [rows, tokens, firstLine, digits],
  );
  const code = (
    <div className="overflow-x-auto py-2 font-mono text-[13px] leading-5" {...keyboardScrolled}>
      <code className="block w-max min-w-full">
        <LazyRows count={rows.length} renderRows={renderRows} />
      </code>
    </div>
  );
  if (bare) return <div ref={ref}>{code}</div>;
  return (
    <div ref={ref} className="min-w-0 overflow-hidden rounded-md border border-border bg-code">
      <div className="flex items-center justify-between gap-2 border-border border-b py-0.5 pr-1 pl-3 text-muted-foreground text-xs">
        <span className="truncate">{(path ?? language) || "text"}</span>
        <CopyButton text={text} label="Copy code" />
      </div>
      {code}
    </div>
  );
});

/** What scrolls sideways must be reachable by the keyboard. */
const keyboardScrolled = { tabIndex: 0 };

type CodeRow = { id: string; line: number; text: string; isFirst: boolean; isWhole: boolean };

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
