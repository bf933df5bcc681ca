"use client";

import { SearchedBody } from "#components/trace/find/searched-body.tsx";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView } from "./tool-kind.ts";

/** Any other tool: its input and its result as they are. */
export function GenericTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "generic" }>>) {
  const [isOpen, setOpen] = useKeptOpen(`${entry.seq}.output`);
  const output = result.output ?? "";
  return (
    <ToolFrame entry={entry} headline={headlineOf(view)} result={result}>
      {saysMore(entry.tool_input, view.title) && (
        <ToolBody label="Input">
          {typeof entry.tool_input === "string" ? (
            <FoldedText text={entry.tool_input} head={8} className="py-1.5" />
          ) : (
            <JsonTree value={entry.tool_input} label="Input" />
          )}
        </ToolBody>
      )}
      {output.trim() !== "" && (
        <SearchedBody seq={entry.seq} text={output} label="Output">
          <FoldedText text={output} ansi head={8} isOpen={isOpen} onOpenChange={setOpen} className="py-1.5" />
        </SearchedBody>
      )}
      {result.result !== null && (
        <ToolBody label="Result">
          <JsonTree value={result.result} label="Result" />
        </ToolBody>
      )}
    </ToolFrame>
  );
}

/** Whether the input holds more than the title that the card's line shows already. */
function saysMore(input: unknown, title: string | null): boolean {
  if (input === null || input === undefined || input === "") return false;
  if (typeof input !== "object") return true;
  const values = Array.isArray(input) ? input : Object.values(fieldsOf(input));
  return values.some((value) => value !== title);
}
