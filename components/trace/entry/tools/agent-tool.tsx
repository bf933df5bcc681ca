"use client";

import { VisibleText } from "#components/text/visible-text.tsx";
import { entryOutcome, entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { useJoined } from "#components/trace/entry/parts/joined.tsx";
import { RunLinkLine } from "#components/trace/entry/parts/run-link-line.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { agentAnswersOf } from "#lib/entry/agent-answers.ts";
import type { ToolResult } from "#lib/entry/result.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

/** Enough of an agent's id to distinguish it from others. */
const idCharacters = 16;

/** Another agent that this one started or waited for: its prompt, its answer, and its run if there is one. */
export function AgentTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "agent" }>>) {
  const { link } = useJoined();
  const answers = agentAnswersOf(entry.tool_output);
  const result = answers.length === 0 ? entryResult(entry) : withoutStatus(entryResult(entry));
  const output = result.output ?? "";
  const isProse = entryOutcome(entry) !== "failed" && result.json === null && output.trim() !== "";
  const headline = view.title ?? headlineOf(view);
  return (
    <ToolFrame
      entry={entry}
      result={result}
      headline={headline}
      isCode={false}
      chips={
        view.agent !== null && (
          <Badge variant="outline" title="The kind of agent">
            <VisibleText text={view.agent} />
          </Badge>
        )
      }
    >
      {view.prompt !== null && (
        <ToolBody label="Prompt">
          <div className="px-3 py-1.5 [--surface:var(--code)]">
            <FoldedMarkdown
              text={view.prompt}
              openKey={`${entry.seq}.prompt`}
              charactersMax={600}
              linesMax={10}
              className="text-muted-foreground"
            />
          </div>
        </ToolBody>
      )}
      {link !== null && (
        <div className="border-border border-t px-3 py-1.5">
          <RunLinkLine entry={link} />
        </div>
      )}
      {answers.map(({ agent, state, text }) => (
        <ToolBody key={agent} label={`Agent ${agent.slice(0, idCharacters)} · ${state}`}>
          <div className="px-3 py-1.5 [--surface:var(--code)]">
            {text !== "" && <FoldedMarkdown text={text} openKey={`${entry.seq}.${agent}`} />}
          </div>
        </ToolBody>
      ))}
      {isProse ? (
        <ToolBody label="Answer">
          <div className="px-3 py-1.5 [--surface:var(--code)]">
            <FoldedMarkdown text={output} openKey={`${entry.seq}.output`} />
          </div>
        </ToolBody>
      ) : (
        <ToolOutput seq={entry.seq} result={result} label="Answer" />
      )}
    </ToolFrame>
  );
}

/** The result without the agents' states, which are shown with their answers. */
function withoutStatus(result: ToolResult): ToolResult {
  const { status: _status, ...rest } = result.rest ?? {};
  return { ...result, rest: Object.keys(rest).length === 0 ? null : rest };
}
