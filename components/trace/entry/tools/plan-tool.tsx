"use client";

import { VisibleText } from "#components/text/visible-text.tsx";
import { Checklist } from "#components/trace/entry/parts/checklist.tsx";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { answerOf } from "./folded-answer.tsx";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";

/** A tool that writes the agent's plan: its steps as a checklist. */
export function PlanTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "plan" }>>) {
  const failedCount = view.steps.filter(({ state }) => state === "failed").length;
  const { folded, shown } = answerOf(entry);
  return (
    <ToolFrame
      entry={entry}
      folded={folded}
      headline={view.steps.length > 1 ? headlineOf(view) : ""}
      isCode={false}
      chips={
        failedCount > 0 && <span className="whitespace-nowrap text-status-failed text-xs">{failedCount} failed</span>
      }
    >
      <div className="grid justify-items-start gap-2 px-3 pb-2.5">
        {view.explanation !== null && (
          <p className="text-muted-foreground [overflow-wrap:anywhere]">
            <VisibleText text={view.explanation} />
          </p>
        )}
        <Checklist plan={view.steps} openKey={`${entry.seq}.plan`} changes={null} />
      </div>
      {shown}
    </ToolFrame>
  );
}
