import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { hitStretches } from "./hit-stretches.ts";
import { useOutline } from "./use-outline.ts";

type FilterVeilProps = {
  source: TraceSource;
  totalLogs: number;
  filter: LogsFilter;
  /** In px; the entries fill the height. */
  height: number;
  top: number;
};

/** Covers the parts of the map without any entry that matches the filter. */
export function FilterVeil({ source, totalLogs, filter, height, top }: FilterVeilProps) {
  const outline = useOutline(source, totalLogs, height > 0, filter);
  const buckets = outline?.buckets ?? [];
  const partHeight = (height * ((outline?.total_logs ?? 0) / Math.max(1, totalLogs))) / Math.max(1, buckets.length);
  const isEmpty = buckets.map(({ matching }) => (matching === 0 ? 1 : 0));
  return (
    <div aria-hidden data-veil className="pointer-events-none absolute inset-x-0" style={{ top, height }}>
      {hitStretches(isEmpty, 1).map(({ from, to }) => (
        <div
          key={from}
          className="absolute inset-x-0 bg-background/80"
          style={{ top: from * partHeight, height: (to - from) * partHeight }}
        />
      ))}
    </div>
  );
}
