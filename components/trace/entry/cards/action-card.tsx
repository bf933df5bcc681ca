import { ObservationPart } from "#components/trace/entry/parts/observation-part.tsx";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { ToolCard } from "#components/trace/entry/tools/tool-card.tsx";
import type { CardProps } from "./card-props.ts";

/** A tool call: its purpose, input and result. */
export function ActionCard({ entry }: CardProps) {
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <ToolCard entry={entry} />
      <ObservationPart entry={entry} />
    </div>
  );
}
