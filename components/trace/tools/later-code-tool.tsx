"use client";

import type { ComponentProps } from "react";
import { Later } from "#components/ui/later.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import type * as codeTool from "./code-tool.tsx";
import { ToolFrame } from "./tool-frame.tsx";

// Comparing and colouring code is the larger part of what cards need: fetched with the first such card.
const part = loadable(() => import("./code-tool.tsx").then(({ CodeTool }) => CodeTool));

/** Fetches what shows code, for a reader who is about to see some. */
export const fetchCodeTool = part.load;

/** The card of code; its line alone until its program is there. */
export function CodeTool(props: ComponentProps<typeof codeTool.CodeTool>) {
  return <Later {...{ part, props }} fallback={<ToolFrame {...props} headline={headlineOf(props.view)} />} />;
}
