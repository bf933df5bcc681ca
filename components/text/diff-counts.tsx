import { formatCount } from "#components/shell/format-number.ts";
import { diffCountsWords } from "./diff-counts-words.ts";

/** Counts of added and removed lines, as `+12 −3`; read aloud in words. Nothing where no line changed, as when only the mode did. */
export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span className="whitespace-nowrap font-mono text-xs tabular-nums">
      <span className="sr-only">{diffCountsWords(added, removed)}</span>
      <span aria-hidden="true" className="text-status-completed">
        +{formatCount(added)}
      </span>{" "}
      <span aria-hidden="true" className="text-status-failed">
        −{formatCount(removed)}
      </span>
    </span>
  );
}
