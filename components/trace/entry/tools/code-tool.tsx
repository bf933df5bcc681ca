"use client";

import type { ToolView } from "#lib/entry/tool-view.ts";
import { EditTool } from "./edit-tool.tsx";
import { ReadTool } from "./read-tool.tsx";
import type { ToolProps } from "./tool-frame.tsx";

/** Changes to a file, or its content. */
export function CodeTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "edit" | "read" }>>) {
  return view.kind === "edit" ? <EditTool entry={entry} view={view} /> : <ReadTool entry={entry} view={view} />;
}
