import { ToolCard } from "#components/trace/tools/tool-card.tsx";
import type { CardProps } from "./card-props.ts";
import { FoldedMarkdown } from "./folded-markdown.tsx";
import { Thought } from "./thought.tsx";

/** A tool call: why, what, and what came of it. */
export function ActionCard({ entry, link = null }: CardProps) {
  const said = typeof entry.observation === "string" ? entry.observation : "";
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <ToolCard entry={entry} link={link} />
      {said.trim() !== "" && (
        <FoldedMarkdown
          text={said}
          keptAs={`${entry.seq}.observation`}
          charactersMax={600}
          className="text-muted-foreground"
        />
      )}
    </div>
  );
}
