"use client";

import { entryOutcome, entryResult, entryView } from "#components/trace/entry-meaning.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { AgentTool } from "./agent-tool.tsx";
import { GenericTool } from "./generic-tool.tsx";
import { CodeTool } from "./later-code-tool.tsx";
import { PlanTool } from "./plan-tool.tsx";
import { ProseTool } from "./prose-tool.tsx";
import { QuestionTool } from "./question-tool.tsx";
import { ShellTool } from "./shell-tool.tsx";
import { TextTool } from "./text-tool.tsx";

type ToolCardProps = {
  entry: LogEntry;
  /** The entry after this one, where it links to the run that the call started. */
  link?: LogEntry | null;
};

/** What a tool was called with and what came of it, by what kind of tool it is. */
export function ToolCard({ entry, link = null }: ToolCardProps) {
  const view = entryView(entry);
  const shared = { entry, result: entryResult(entry), outcome: entryOutcome(entry), link };
  switch (view.kind) {
    case "shell":
      return <ShellTool {...shared} view={view} />;
    case "edit":
    case "read":
      return <CodeTool {...shared} view={view} />;
    case "search":
    case "list":
    case "fetch":
    case "browser":
      return <TextTool {...shared} view={view} />;
    case "plan":
      return <PlanTool {...shared} view={view} />;
    case "agent":
      return <AgentTool {...shared} view={view} />;
    case "question":
      return <QuestionTool {...shared} view={view} />;
    case "think":
    case "answer":
      return <ProseTool {...shared} view={view} />;
    case "generic":
      return <GenericTool {...shared} view={view} />;
  }
}
