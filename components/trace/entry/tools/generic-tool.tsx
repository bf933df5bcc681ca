"use client";

import { FoldedText } from "#components/text/fold.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { useCurrentMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

/** Any other tool: its input and result, unchanged. */
export function GenericTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "generic" }>>) {
  const result = entryResult(entry);
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      isCode={false}
      isRepeated={saysMore(entry.tool_input, view.title)}
    >
      <ToolInput input={entry.tool_input} title={view.title} />
      <ToolOutput seq={entry.seq} result={result} label={result.json === null ? "Output" : "Result"} />
    </ToolFrame>
  );
}

/** A tool's input, if it contains more than the title shown on the card's line, or if a find is at what the title leaves out. */
function ToolInput({ input, title }: { input: unknown; title: string | null }) {
  const needle = useCurrentMatch()?.needle ?? null;
  const isHit = needle !== null && !valueHolds(title, needle) && valueHolds(input, needle);
  if (!saysMore(input, title) && !isHit) return null;
  return (
    <ToolBody label="Input">
      {typeof input === "string" ? (
        <FoldedText text={input} head={8} className="py-1.5" />
      ) : (
        <JsonTree value={input} label="Input" />
      )}
    </ToolBody>
  );
}

function saysMore(input: unknown, title: string | null): boolean {
  if (input === null || input === undefined || input === "") return false;
  if (typeof input !== "object") return true;
  const values = Array.isArray(input) ? input : Object.values(fieldsOf(input));
  return values.some((value) => value !== title);
}
