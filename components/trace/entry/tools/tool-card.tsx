"use client";

import type { ReactElement } from "react";
import { entryView } from "#components/trace/entry/parts/entry-meaning.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { AgentTool } from "./agent-tool.tsx";
import { CodeTool } from "./code-tool-island.tsx";
import { GenericTool } from "./generic-tool.tsx";
import { PlanTool } from "./plan-tool.tsx";
import { ProseTool } from "./prose-tool.tsx";
import { QuestionTool } from "./question-tool.tsx";
import { ShellTool } from "./shell-tool.tsx";
import { TextTool } from "./text-tool.tsx";

/** A tool call's input and result, rendered by kind of tool. */
export function ToolCard({ entry }: { entry: LogEntry }): ReactElement {
  const view = entryView(entry);
  switch (view.kind) {
    case "shell":
      return <ShellTool entry={entry} view={view} />;
    case "edit":
    case "read":
      return <CodeTool entry={entry} view={view} />;
    case "search":
    case "list":
    case "fetch":
    case "browser":
      return <TextTool entry={entry} view={view} />;
    case "plan":
      return <PlanTool entry={entry} view={view} />;
    case "agent":
      return <AgentTool entry={entry} view={view} />;
    case "question":
      return <QuestionTool entry={entry} view={view} />;
    case "think":
    case "answer":
      return <ProseTool entry={entry} view={view} />;
    case "generic":
      return <GenericTool entry={entry} view={view} />;
  }
}
