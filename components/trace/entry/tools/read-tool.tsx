"use client";

import { useMemo } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { CodeBlock } from "#components/text/code-block.tsx";
import { TextLines } from "#components/text/text-lines.ts";
import { entryOutcome, entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import { withoutNumbers } from "#lib/entry/read-text.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { FoldedCode } from "./folded-code.tsx";
import { SearchedBody } from "./searched-body.tsx";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

const foldedLines = 10;

/** A file that was read: its numbered lines, highlighted. */
export function ReadTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "read" }>>) {
  const [result, outcome] = [entryResult(entry), entryOutcome(entry)];
  const output = result.output ?? "";
  const isCode = output.trim() !== "" && (outcome === "ok" || outcome === "unknown");
  const read = useMemo(() => {
    const found = isCode ? withoutNumbers(output) : null;
    const { text, firstLine } = found ?? { text: output, firstLine: view.firstLine ?? 1 };
    return { lines: new TextLines(text), firstLine };
  }, [isCode, output, view.firstLine]);
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      chips={
        isCode && (
          <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
            {formatCountOf(read.lines.count, "line")}
          </span>
        )
      }
    >
      {isCode ? (
        <SearchedBody seq={entry.seq} text={read.lines.text}>
          <FoldedCode lines={read.lines} head={foldedLines} openKey={`${entry.seq}.code`}>
            {(shown) => <CodeBlock text={shown} path={view.path} firstLine={read.firstLine} bare />}
          </FoldedCode>
        </SearchedBody>
      ) : (
        <ToolOutput seq={entry.seq} result={result} head={6} />
      )}
    </ToolFrame>
  );
}
