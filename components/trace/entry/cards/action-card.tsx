import { entryOutcome, repeatsEnd } from "#components/trace/entry/parts/entry-meaning.ts";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { ToolCard } from "#components/trace/entry/tools/tool-card.tsx";
import type { CardProps } from "./card-props.ts";

/** A tool call: its purpose, input and result. */
export function ActionCard({ entry }: CardProps) {
  const said = typeof entry.observation === "string" ? entry.observation : "";
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <ToolCard entry={entry} />
      {said.trim() !== "" && !repeatsEnd(said, entryOutcome(entry)) && (
        <FoldedMarkdown
          text={said}
          openKey={`${entry.seq}.observation`}
          charactersMax={600}
          className="text-muted-foreground"
        />
      )}
    </div>
  );
}
