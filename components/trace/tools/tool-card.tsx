"use client";

import { lazy, Suspense, useMemo } from "react";
import type { LogEntry } from "#lib/contract/entry.ts";
import { GenericTool } from "./generic-tool.tsx";
import { ShellTool } from "./shell-tool.tsx";
import { TextTool } from "./text-tool.tsx";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView, toolViewOf } from "./tool-kind.ts";
import { toolResultOf } from "./tool-result.ts";

// Comparing and colouring code is the larger part of what cards need: fetched with the first such card.
const EditTool = lazy(() =>
  import("./edit-tool.tsx").then(
    ({ EditTool }) => ({ default: EditTool }),
    () => ({ default: ToolLine }),
  ),
);
const ReadTool = lazy(() =>
  import("./read-tool.tsx").then(
    ({ ReadTool }) => ({ default: ReadTool }),
    () => ({ default: ToolLine }),
  ),
);

/** What a tool was called with and what came of it, by what kind of tool it is. */
export function ToolCard({ entry }: { entry: LogEntry }) {
  const view = useMemo(() => toolViewOf(entry), [entry]);
  const result = useMemo(() => toolResultOf(entry.tool_output), [entry]);
  const shared = { entry, result };
  switch (view.kind) {
    case "shell":
      return <ShellTool {...shared} view={view} />;
    case "edit":
      return (
        <Suspense fallback={<ToolLine {...shared} view={view} />}>
          <EditTool {...shared} view={view} />
        </Suspense>
      );
    case "read":
      return (
        <Suspense fallback={<ToolLine {...shared} view={view} />}>
          <ReadTool {...shared} view={view} />
        </Suspense>
      );
    case "search":
    case "fetch":
      return <TextTool {...shared} view={view} />;
    case "generic":
      return <GenericTool {...shared} view={view} />;
  }
}

/** The line of a card whose body is being fetched. */
function ToolLine({ entry, view, result }: ToolProps<ToolView>) {
  return <ToolFrame entry={entry} headline={headlineOf(view)} result={result} />;
}
