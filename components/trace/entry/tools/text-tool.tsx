"use client";

import { formatCountOf } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { entryOutcome, entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

type TextView = Extract<ToolView, { kind: "search" | "list" | "fetch" | "browser" }>;

/** A search, a list of files, a fetched page or a browser step: its input and result. */
export function TextTool({ entry, view }: ToolProps<TextView>) {
  const result = entryResult(entry);
  const output = (result.output ?? "").replace(/\n+$/, "");
  const lineCount = output === "" || result.json !== null ? 0 : output.split("\n").length;
  const asked = view.kind === "fetch" ? view.prompt : null;
  // If a question was asked about the page, the answer is prose.
  const isProse = asked !== null && entryOutcome(entry) === "ok" && result.json === null && output !== "";
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      chips={
        lineCount > 0 &&
        !isProse && (
          <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
            {formatCountOf(lineCount, "line")}
          </span>
        )
      }
    >
      {asked !== null && (
        <p className="px-3 pb-2 text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
          <VisibleText text={asked} />
        </p>
      )}
      {isProse ? (
        <ToolBody>
          <div className="px-3 py-2 [--surface:var(--code)]">
            <FoldedMarkdown text={output} openKey={`${entry.seq}.output`} />
          </div>
        </ToolBody>
      ) : (
        <ToolOutput seq={entry.seq} result={result} />
      )}
    </ToolFrame>
  );
}
