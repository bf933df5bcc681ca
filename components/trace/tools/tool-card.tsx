"use client";

import { useMemo } from "react";
import type { LogEntry } from "#lib/contract/entry.ts";
import { GenericTool } from "./generic-tool.tsx";
import { CodeTool } from "./later-code-tool.tsx";
import { ShellTool } from "./shell-tool.tsx";
import { TextTool } from "./text-tool.tsx";
import { toolViewOf } from "./tool-kind.ts";
import { toolResultOf } from "./tool-result.ts";

/** What a tool was called with and what came of it, by what kind of tool it is. */
export function ToolCard({ entry }: { entry: LogEntry }) {
  const view = useMemo(() => toolViewOf(entry), [entry]);
  const result = useMemo(() => toolResultOf(entry.tool_output), [entry]);
  const shared = { entry, result };
  switch (view.kind) {
    case "shell":
      return <ShellTool {...shared} view={view} />;
    case "edit":
    case "read":
      return <CodeTool {...shared} view={view} />;
    case "search":
    case "fetch":
      return <TextTool {...shared} view={view} />;
    case "generic":
      return <GenericTool {...shared} view={view} />;
  }
}
