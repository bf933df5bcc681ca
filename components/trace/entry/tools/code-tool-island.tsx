"use client";

import type { ComponentProps } from "react";
import { Island } from "#components/islands/island.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import type * as codeTool from "./code-tool.tsx";
import { ToolFrame } from "./tool-frame.tsx";

// Comparing and highlighting code is most of the script that cards need: it is loaded with the first such card.
const part = loadable(() => import("./code-tool.tsx").then(({ CodeTool }) => CodeTool));

/** Loads the code viewer ahead of time for a reader who is about to need it. */
export const fetchCodeTool = part.load;

/** A code card. Until its script is loaded, only its first line is shown. */
export function CodeTool(props: ComponentProps<typeof codeTool.CodeTool>) {
  return <Island {...{ part, props }} fallback={<ToolFrame entry={props.entry} headline={headlineOf(props.view)} />} />;
}
