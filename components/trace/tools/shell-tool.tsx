"use client";

import { FoldedText } from "#components/trace/text/fold.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView } from "./tool-kind.ts";

/** A command and what it printed. */
export function ShellTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "shell" }>>) {
  const [isOutputOpen, setOutputOpen] = useKeptOpen(`${entry.seq}.output`);
  const [isCommandOpen, setCommandOpen] = useKeptOpen(`${entry.seq}.command`);
  const isScript = view.command.trim().includes("\n") || view.command.length > 400;
  const output = result.output ?? "";
  return (
    <ToolFrame name={entry.tool_name} headline={`$ ${headlineOf(view)}`} result={result}>
      {view.description !== null && <p className="px-3 pb-2 text-[13px] text-muted-foreground">{view.description}</p>}
      {isScript && (
        <ToolBody label="Script">
          <FoldedText
            text={view.command}
            head={8}
            isOpen={isCommandOpen}
            onOpenChange={setCommandOpen}
            className="py-1.5"
          />
        </ToolBody>
      )}
      {output.trim() !== "" && (
        <ToolBody label={isScript ? "Output" : undefined}>
          <FoldedText
            text={output}
            ansi
            head={6}
            tail={8}
            isOpen={isOutputOpen}
            onOpenChange={setOutputOpen}
            className="py-2"
          />
        </ToolBody>
      )}
    </ToolFrame>
  );
}
