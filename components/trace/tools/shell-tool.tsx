"use client";

import { SearchedBody } from "#components/trace/find/searched-body.tsx";
import { hasAnsi, parseAnsiLines } from "#components/trace/text/ansi.ts";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import type { LogEntry } from "#lib/contract/entry.ts";
import { CopyPart } from "./copy-part.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView, toolViewOf } from "./tool-kind.ts";
import { toolResultOf } from "./tool-result.ts";

/** A command and what it printed. */
export function ShellTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "shell" }>>) {
  const [isOutputOpen, setOutputOpen] = useKeptOpen(`${entry.seq}.output`);
  const [isCommandOpen, setCommandOpen] = useKeptOpen(`${entry.seq}.command`);
  const isScript = view.command.trim().includes("\n") || view.command.length > 400;
  const output = result.output ?? "";
  return (
    <ToolFrame
      entry={entry}
      headline={`$ ${headlineOf(view)}`}
      result={result}
      action={<CopyPart entry={entry} label="Copy command" textOf={commandOf} />}
    >
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
        <SearchedBody
          seq={entry.seq}
          text={output}
          label={isScript ? "Output" : undefined}
          action={<CopyPart entry={entry} label="Copy output" textOf={outputOf} />}
        >
          <FoldedText
            text={output}
            ansi
            head={6}
            tail={8}
            isOpen={isOutputOpen}
            onOpenChange={setOutputOpen}
            className="py-2"
          />
        </SearchedBody>
      )}
    </ToolFrame>
  );
}

function commandOf(entry: LogEntry): string {
  const view = toolViewOf(entry);
  return view.kind === "shell" ? view.command : "";
}

/** The output as it is shown: nobody wants escape sequences on the clipboard. */
function outputOf(entry: LogEntry): string {
  const output = toolResultOf(entry.tool_output).output ?? "";
  if (!hasAnsi(output)) return output;
  return parseAnsiLines(output)
    .map((line) => line.map((run) => run.text).join(""))
    .join("\n");
}
