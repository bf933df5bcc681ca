"use client";

import type { ToolView } from "#lib/entry/tool-view.ts";
import { EditTool } from "./edit-tool.tsx";
import { ReadTool } from "./read-tool.tsx";
import type { ToolProps } from "./tool-frame.tsx";

/** What a file was changed in, or what was read of it. */
export function CodeTool({ view, ...shared }: ToolProps<Extract<ToolView, { kind: "edit" | "read" }>>) {
  return view.kind === "edit" ? <EditTool {...shared} view={view} /> : <ReadTool {...shared} view={view} />;
}
