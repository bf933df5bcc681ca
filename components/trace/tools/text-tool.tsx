"use client";

import { formatCountOf } from "#components/shell/format-number.ts";
import { SearchedBody } from "#components/trace/find/searched-body.tsx";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView } from "./tool-kind.ts";

/** A search or a fetched page: what was asked for, and what came. */
export function TextTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "search" | "fetch" }>>) {
  const [isOpen, setOpen] = useKeptOpen(`${entry.seq}.output`);
  const output = (result.output ?? "").replace(/\n+$/, "");
  const lineCount = output === "" ? 0 : output.split("\n").length;
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      result={result}
      chips={
        lineCount > 0 && (
          <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
            {formatCountOf(lineCount, "line")}
          </span>
        )
      }
    >
      {output !== "" && (
        <SearchedBody seq={entry.seq} text={output}>
          <FoldedText text={output} ansi head={8} isOpen={isOpen} onOpenChange={setOpen} className="py-2" />
        </SearchedBody>
      )}
      {result.result !== null && (
        <ToolBody>
          <JsonTree value={result.result} label="Result" />
        </ToolBody>
      )}
    </ToolFrame>
  );
}
