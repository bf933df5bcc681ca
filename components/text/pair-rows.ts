import type { DiffRow } from "./diff-rows.ts";

/** The two compared versions. */
export type DiffSide = "before" | "after";

/** Rows side by side: never both null. An unchanged line and a gap are on both sides. */
export type RowPair = Record<DiffSide, DiffRow | null>;

/**
 * Pairs the rows of a diff in two columns: each run of removed lines beside the added lines that follow it, line for line, as for
 * marking changed words. Surplus lines on one side have nothing beside them.
 */
export function pairRows(rows: readonly DiffRow[]): RowPair[] {
  const pairs: RowPair[] = [];
  for (let start = 0; start < rows.length; ) {
    const middle = endOfRun(rows, "removed", start);
    const end = endOfRun(rows, "added", middle);
    for (let place = 0; place < Math.max(middle - start, end - middle); place += 1) {
      pairs.push({
        before: start + place < middle ? (rows[start + place] ?? null) : null,
        after: middle + place < end ? (rows[middle + place] ?? null) : null,
      });
    }
    const row = rows[end];
    if (row !== undefined && row.kind !== "removed") pairs.push({ before: row, after: row });
    start = row?.kind === "removed" ? end : end + 1;
  }
  return pairs;
}

function endOfRun(rows: readonly DiffRow[], kind: DiffRow["kind"], start: number): number {
  let end = start;
  while (rows[end]?.kind === kind) end += 1;
  return end;
}
