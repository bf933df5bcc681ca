"use client";

import { useMemo } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { SearchedBody } from "#components/trace/find/searched-body.tsx";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { isHidden } from "#components/trace/find/sought-place.ts";
import { CodeBlock } from "#components/trace/text/code-block.tsx";
import { TextLines } from "#components/trace/text/text-lines.ts";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { withoutNumbers } from "#lib/entry/read-text.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

const foldedLines = 10;
/** Fewer hidden lines than this are shown: a button would take as much room. */
const slackLines = 3;

/** A file that was read: its lines with their numbers, in colours. */
export function ReadTool({ view, ...props }: ToolProps<Extract<ToolView, { kind: "read" }>>) {
  const { entry, result, outcome } = props;
  const output = result.output ?? "";
  const isCode = output.trim() !== "" && (outcome === "ok" || outcome === "unknown");
  const read = useMemo(() => {
    const found = isCode ? withoutNumbers(output) : null;
    const { text, firstLine } = found ?? { text: output, firstLine: view.firstLine ?? 1 };
    return { lines: new TextLines(text), firstLine };
  }, [isCode, output, view.firstLine]);
  return (
    <ToolFrame
      {...props}
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
          <FoldedCode seq={entry.seq} path={view.path} {...read} />
        </SearchedBody>
      ) : (
        <ToolOutput seq={entry.seq} result={result} head={6} />
      )}
    </ToolFrame>
  );
}

type FoldedCodeProps = { seq: number; path: string; lines: TextLines; firstLine: number };

function FoldedCode({ seq, path, lines, firstLine }: FoldedCodeProps) {
  const canFold = lines.count > foldedLines + slackLines;
  const sought = useSought();
  const hidesSought = useMemo(
    () => sought !== null && (sought.at !== null || isHidden(sought, lines.text, lines.slice(0, foldedLines))),
    [sought, lines],
  );
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(`${seq}.code`), hidesSought);
  const shown = canFold && !isOpen ? lines.slice(0, foldedLines) : lines.text;
  return (
    <>
      <CodeBlock text={shown} path={path} firstLine={firstLine} bare />
      {canFold && (
        <Button
          variant="ghost"
          size="sm"
          className="m-1 text-muted-foreground"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show all ${formatCountOf(lines.count, "line")}`}
        </Button>
      )}
    </>
  );
}
