"use client";

import { Activity, type ComponentProps } from "react";
import { Drawn, useWasDrawn } from "#components/ui/later.tsx";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type * as codeTool from "./code-tool.tsx";
import { ToolFrame } from "./tool-frame.tsx";
import { headlineOf } from "./tool-kind.ts";

// Comparing and colouring code is the larger part of what cards need: fetched with the first such card.
const part = loadable(() => import("./code-tool.tsx").then(({ CodeTool }) => CodeTool));

/** Fetches what shows code, for a reader who is about to see some. */
export const fetchCodeTool = part.load;

/** The card of code. Until its program is there it shows what the server has drawn, or else its line. */
export function CodeTool(props: ComponentProps<typeof codeTool.CodeTool>) {
  const wasDrawn = useWasDrawn();
  const Tool = useLoaded(part, true);
  if (wasDrawn) {
    return (
      <Activity>
        <Drawn part={part} props={props} />
      </Activity>
    );
  }
  // Not by a Suspense: React would keep its fallback for 300 ms and longer.
  return Tool === null ? <ToolFrame {...props} headline={headlineOf(props.view)} /> : <Tool {...props} />;
}
