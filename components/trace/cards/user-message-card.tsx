import { Info } from "lucide-react";
import { interruptionOf, observationOf, turnOriginOf } from "#components/trace/observation.ts";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { CardProps } from "./card-props.ts";
import { FoldedMarkdown } from "./folded-markdown.tsx";
import { Thought } from "./thought.tsx";

const sessions: Record<string, { label: string; meaning: string }> = {
  new: { label: "new session", meaning: "The agent began anew and knows nothing of the turns before." },
  continued: { label: "same session", meaning: "The agent went on in the session that was open." },
  resumed: { label: "session resumed", meaning: "The agent took up its own session again." },
  loaded: { label: "session loaded", meaning: "The agent loaded its own session from its records." },
  seeded: {
    label: "new session, with a summary",
    meaning: "The agent's session could not go on: a new one was given a summary of the run so far.",
  },
};

/** A person's message: it begins a turn, or marks where one was ended. */
export function UserMessageCard({ entry }: CardProps) {
  const interruption = interruptionOf(entry.observation);
  if (interruption !== null) return <Interruption entry={entry} text={interruption.message} />;
  const { text, rest } = observationOf(entry.observation);
  const origin = turnOriginOf(entry.tool_input);
  const session = origin === null || origin.turn < 2 || origin.session === null ? null : sessions[origin.session];
  return (
    <div className="grid gap-2 rounded-lg border border-border bg-muted px-4 py-3 [--surface:var(--muted)]">
      {origin !== null && origin.turn > 1 && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-[13px]">Turn {origin.turn}</span>
          {session !== null && session !== undefined && (
            <Badge variant="outline" title={session.meaning}>
              {session.label}
            </Badge>
          )}
        </p>
      )}
      {text !== null && (
        <FoldedMarkdown text={text} keptAs={`${entry.seq}.message`} charactersMax={3_000} linesMax={48} />
      )}
      {rest !== null && <JsonTree value={rest} label="Message" />}
      {origin?.notice && (
        <p className="flex items-start gap-1.5 text-[13px] text-muted-foreground">
          <Info aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0">
            <VisibleText text={origin.notice} />
          </span>
        </p>
      )}
    </div>
  );
}

function Interruption({ entry, text }: CardProps & { text: string }) {
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
        <span className="font-medium text-foreground">Interrupted.</span> <VisibleText text={text} />
      </p>
    </div>
  );
}
