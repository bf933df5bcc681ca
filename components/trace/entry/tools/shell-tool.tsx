"use client";

import { VisibleText } from "#components/text/visible-text.tsx";
import { entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { toolResultOf } from "#lib/entry/result.ts";
import { hasAnsi, parseAnsiLines } from "#lib/entry/terminal-text.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { CopyPart } from "./copy-part.tsx";
import { Script } from "./script.tsx";
import { SessionLine } from "./session-line.tsx";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

/** A command and its output. */
export function ShellTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "shell" }>>) {
  const result = entryResult(entry);
  const isScript = view.command.trim().includes("\n") || view.command.length > 400;
  const prompt = view.language === "sh" ? "$ " : "";
  const isWaiting = view.command === "";
  const headline = isWaiting ? "waits for more output" : `${prompt}${headlineOf(view)}`;
  // A header line that repeats the command adds nothing.
  const chips = result.chips.filter(({ value }) => isWaiting || !value.includes(view.command));
  return (
    <ToolFrame
      entry={entry}
      result={{ ...result, chips }}
      headline={headline}
      isCode={!isWaiting}
      place={view.cwd}
      action={!isWaiting && <CopyPart entry={entry} label="Copy command" textOf={commandOf} />}
    >
      {view.continues !== null && <SessionLine seq={entry.seq} session={view.continues} />}
      {view.description !== null && (
        <p className="px-3 pb-2 text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
          <VisibleText text={view.description} />
        </p>
      )}
      {isScript && <Script text={view.command} language={view.language} openKey={`${entry.seq}.command`} />}
      <ToolOutput
        seq={entry.seq}
        result={result}
        label={isScript ? "Output" : undefined}
        head={6}
        tail={8}
        action={result.output !== null && <CopyPart entry={entry} label="Copy output" textOf={outputOf} />}
      />
    </ToolFrame>
  );
}

function commandOf(entry: LogEntry): string {
  const view = toolViewOf(entry);
  return view.kind === "shell" ? view.command : "";
}

/** The output as it is displayed: nobody wants escape sequences on the clipboard. */
function outputOf(entry: LogEntry): string {
  const output = toolResultOf(entry.tool_output).output ?? "";
  if (!hasAnsi(output)) return output;
  return parseAnsiLines(output)
    .map((line) => line.map((run) => run.text).join(""))
    .join("\n");
}
