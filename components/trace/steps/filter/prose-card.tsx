import { formatCountOf } from "#components/shell/format-number.ts";
import { EntryCard } from "#components/trace/entry/cards/entry-card.tsx";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { Button } from "#components/ui/button.tsx";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

type ProseCardProps = {
  entry: LogEntry;
  /** The next entry with prose, or the end of the run; null if unknown, or if others than tool calls come before it. */
  nextSeq: number | null;
  /** Goes to an entry in the unfiltered list. */
  onShowAll: (seq: number) => void;
};

/** The prose of an entry, and how many tool calls follow until the next prose. */
export function ProseCard({ entry, nextSeq, onShowAll }: ProseCardProps) {
  const isCall = entry.message_type === "ACTION";
  const firstCall = isCall ? entry.seq : entry.seq + 1;
  // The run may have been counted before this entry was added.
  const calls = nextSeq === null ? null : Math.max(isCall ? 1 : 0, nextSeq - firstCall);
  const said = isCall && typeof entry.observation === "string" ? entry.observation : "";
  return (
    <div className="grid justify-items-start gap-1.5">
      {isCall ? (
        <>
          <Thought text={entry.thought} seq={entry.seq} />
          {said.trim() !== "" && (
            <FoldedMarkdown text={said} openKey={`${entry.seq}.observation`} className="text-muted-foreground" />
          )}
        </>
      ) : (
        <div className="w-full min-w-0">
          <EntryCard entry={entry} />
        </div>
      )}
      {(calls === null ? isCall : calls > 0) && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 h-6 font-normal text-muted-foreground text-xs"
          onClick={() => onShowAll(firstCall)}
        >
          {calls === null ? "Show the tool call" : formatCountOf(calls, "tool call")}
        </Button>
      )}
    </div>
  );
}
