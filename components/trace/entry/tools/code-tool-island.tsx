"use client";

import type { ComponentProps } from "react";
import { Island } from "#components/islands/island.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import type * as codeTool from "./code-tool.tsx";
import { ToolFrame } from "./tool-frame.tsx";

// Comparing and colouring code is the larger part of what cards need: fetched with the first such card.
const part = loadable(() => import("./code-tool.tsx").then(({ CodeTool }) => CodeTool));

/** Loads the code viewer for a reader who is about to need it. */
export const fetchCodeTool = part.load;

/** A code card; only its line until its code is loaded. */
export function CodeTool(props: ComponentProps<typeof codeTool.CodeTool>) {
  return <Island {...{ part, props }} fallback={<ToolFrame entry={props.entry} headline={headlineOf(props.view)} />} />;
}
