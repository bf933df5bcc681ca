import { formatCount, formatCountOf } from "#components/shell/format-number.ts";

/** Counts of a diff in words: `1 line added, 2 removed`. */
export function diffCountsWords(added: number, removed: number): string {
  return `${formatCountOf(added, "line")} added, ${formatCount(removed)} removed`;
}
