import { FoldedMarkdown } from "./folded-markdown.tsx";

/** The agent's thought, less prominent than its messages. */
export function Thought({ text, seq }: { text: string | null; seq: number }) {
  if (text === null || text.trim() === "") return null;
  return <FoldedMarkdown text={text} openKey={`${seq}.thought`} className="text-muted-foreground" />;
}
