import { ChevronRight, CircleX, FolderSearch } from "lucide-react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { EntryLink, SinceStart } from "#components/trace/entry/entry-panel.tsx";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { EntryGroup } from "./entry-groups.ts";

type GroupHeaderProps = {
  group: EntryGroup;
  /** Entry of the first member: the header of a closed group shows its prose. */
  entry: LogEntry;
  /** Number of entries in the list; null while unknown. */
  count: number | null;
  isOpen: boolean;
  onToggle: (group: EntryGroup) => void;
  onMark: (seq: number) => void;
};

/** A group in one line. When closed it stands for its members, and is a card like them. */
export function GroupHeader({ group, entry, count, isOpen, onToggle, onMark }: GroupHeaderProps) {
  const lastSeq = entry.seq + group.last - group.first;
  const failed = group.failures === 0 ? "" : `, ${group.failures} failed`;
  const offset = useSeqOffset();
  const name = `Steps ${entry.seq + offset} to ${lastSeq + offset}, ${group.title}${failed}`;
  const asCard = {
    role: "article",
    tabIndex: -1,
    "data-index": group.first,
    "data-seq": entry.seq,
    "aria-posinset": group.first + 1,
    "aria-setsize": count ?? -1,
    "aria-label": name,
  };
  return (
    <div
      data-group
      {...(isOpen ? {} : asCard)}
      className={cn(
        "grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 px-4 outline-none sm:grid-cols-[64px_20px_minmax(0,1fr)]",
        "focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2",
        isOpen ? "pt-2 compact:pt-1" : "py-1.5 compact:py-0.5",
      )}
    >
      <div className="col-start-2 flex items-baseline gap-2 text-xs sm:col-start-1 sm:row-start-1 sm:flex-col sm:items-end sm:gap-0">
        {!isOpen && (
          <>
            <SinceStart at={entry.created_at} />
            <EntryLink seq={entry.seq} lastSeq={lastSeq} onMark={onMark} />
          </>
        )}
      </div>
      <div className="col-start-1 row-span-2 row-start-1 flex flex-col items-center gap-1.5 sm:col-start-2 sm:row-span-1">
        <FolderSearch aria-hidden className="mt-1.5 size-4 shrink-0 text-muted-foreground sm:mt-1" />
        <span aria-hidden className="w-px flex-1 bg-border" />
      </div>
      <div className="col-start-2 grid min-w-0 gap-1 sm:col-start-3 sm:row-start-1">
        {!isOpen && <Thought text={entry.thought} seq={entry.seq} />}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(group)}
          className="-mx-1.5 flex min-h-7 min-w-0 items-center gap-x-2 rounded-md px-1.5 text-left text-[13px] hover:bg-accent"
        >
          <ChevronRight aria-hidden className={cn("size-3.5 shrink-0 text-muted-foreground", isOpen && "rotate-90")} />
          <span className="shrink-0">{group.title}</span>
          {group.failures > 0 && (
            <span className="inline-flex shrink-0 items-center gap-1 text-status-failed text-xs tabular-nums">
              <CircleX aria-hidden className="size-3" />
              {group.failures} failed
            </span>
          )}
          <span className="min-w-0 truncate font-mono text-muted-foreground text-xs">
            <VisibleText text={group.names.join("  ")} />
            {group.more > 0 && `  +${group.more}`}
          </span>
        </button>
      </div>
    </div>
  );
}
