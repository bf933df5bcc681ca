import { FoldedMarkdown } from "./folded-markdown.tsx";

/** What the agent thought: quieter than what it says. */
export function Thought({ text, seq }: { text: string | null; seq: number }) {
  if (text === null || text.trim() === "") return null;
  return <FoldedMarkdown text={text} keptAs={`${seq}.thought`} className="text-muted-foreground" />;
}
