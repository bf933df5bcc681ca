import { CornerDownRight } from "lucide-react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useJoined } from "#components/trace/entry/parts/joined.tsx";
import { RunLinkLine } from "#components/trace/entry/parts/run-link-line.tsx";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { messageTypeLabels } from "#lib/entry/labels.ts";
import { runLinkOf } from "#lib/entry/run-link.ts";
import type { CardProps } from "./card-props.ts";

/**
 * Link to another run: one started by this run, or the one that started it. If an agent's card already shows it, a single line.
 */
export function RunLinkCard({ entry }: CardProps) {
  const { isJoined } = useJoined();
  const { text, relation } = runLinkOf(entry);
  if (isJoined) {
    return (
      <div className="flex min-w-0 items-center gap-1.5 text-[13px] text-muted-foreground">
        <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
        <RunLinkLine entry={entry} />
      </div>
    );
  }
  return (
    <div className="grid gap-2 rounded-lg border bg-card px-4 py-3">
      <h2 className="font-medium text-[13px]">
        {relation === null ? messageTypeLabels.AGENT_RUN_LINK : "Log analysis"}
      </h2>
      <Thought text={entry.thought} seq={entry.seq} />
      {text !== null && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={text} />
        </p>
      )}
      <RunLinkLine entry={entry} />
    </div>
  );
}
