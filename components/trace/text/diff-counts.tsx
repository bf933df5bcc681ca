/** How many lines were added and removed, as `+12 −3`. */
export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="whitespace-nowrap font-mono text-xs tabular-nums">
      <span className="sr-only">{`${added} lines added, ${removed} removed`}</span>
      <span aria-hidden="true" className="text-status-completed">
        +{added.toLocaleString("en-US")}
      </span>{" "}
      <span aria-hidden="true" className="text-status-failed">
        −{removed.toLocaleString("en-US")}
      </span>
    </span>
  );
}
