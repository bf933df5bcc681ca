"use client";

import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { ToolView } from "#lib/entry/tool-view.ts";
import { answerOf } from "./folded-answer.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";

/** A tool whose input is prose: a thought, or the agent's answer. */
export function ProseTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "think" | "answer" }>>) {
  const isAnswer = view.kind === "answer";
  const { folded, shown } = answerOf(entry);
  return (
    <ToolFrame
      entry={entry}
      folded={folded}
      headline=""
      action={isAnswer && view.text !== "" && <CopyButton text={view.text} label="Copy answer" className="size-7" />}
    >
      {view.text.trim() !== "" && (
        <ToolBody>
          <div className="px-3 py-2 [--surface:var(--code)]">
            <FoldedMarkdown
              text={view.text}
              openKey={`${entry.seq}.text`}
              className={isAnswer ? "" : "text-muted-foreground"}
            />
          </div>
        </ToolBody>
      )}
      {shown}
    </ToolFrame>
  );
}
