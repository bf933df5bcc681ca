import { JsonTree } from "#components/text/json-tree.tsx";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { entryOutcome, repeatsEnd } from "./entry-meaning.ts";
import { FoldedMarkdown } from "./folded-markdown.tsx";
import { saidIn } from "./observation.ts";

/** The observation of a step whose card shows something else: its words, and its other fields as JSON. Nothing if it has none. */
export function ObservationPart({ entry }: { entry: LogEntry }) {
  const { title, text, rest } = saidIn(entry.observation);
  const said = [title, text].filter((part) => part !== null).join("\n\n");
  return (
    <>
      {said.trim() !== "" && !repeatsEnd(said, entryOutcome(entry)) && (
        <FoldedMarkdown
          text={said}
          openKey={`${entry.seq}.observation`}
          charactersMax={600}
          className="text-muted-foreground"
        />
      )}
      {rest !== null && <JsonTree value={rest} label="Observation" />}
    </>
  );
}
