import { totalOf } from "./draw-parts.ts";
import { spentOn, type Use, uses } from "./mark-looks.ts";
import type { Part, Range } from "./timeline-data.ts";

/**
 * Totals of a view: time by use in ms, steps that ended in it, errors, tool calls, and tool calls with a duration. Parts cut by
 * the view count proportionally.
 */
export type ViewSummary = {
  spent: Record<Use, number>;
  steps: number;
  errors: number;
  calls: number;
  timedCalls: number;
};

/** Sums up the parts that a view shows. */
export function summaryOf(parts: readonly Part[], view: Range): ViewSummary {
  const spent: ViewSummary["spent"] = { tool: 0, thinking: 0, waiting: 0, idle: 0 };
  let steps = 0;
  let errors = 0;
  let calls = 0;
  let timedCalls = 0;
  for (const part of parts) {
    const share = shareOf(part, view);
    if (share === 0) continue;
    for (const use of uses) spent[use] += spentOn(part, use) * share;
    steps += totalOf(part) * share;
    errors += part.errors * share;
    calls += (part.counts.ACTION ?? 0) * share;
    timedCalls += part.timed_calls * share;
  }
  return {
    spent,
    steps: Math.round(steps),
    errors: Math.round(errors),
    calls: Math.round(calls),
    timedCalls: Math.round(timedCalls),
  };
}

/** Share of a part in a view, 0 to 1. A part without length counts fully or not at all. */
export function shareOf({ from, to }: Range, view: Range): number {
  if (from === to) return from >= view.from && to <= view.to ? 1 : 0;
  return Math.max(0, Math.min(to, view.to) - Math.max(from, view.from)) / (to - from);
}

/** Parts of a view merged to at most `rowsMax` rows, without those that have no steps. */
export function rowsOfParts(
  parts: readonly Part[],
  view: Range,
  rowsMax: number,
): (Range & ViewSummary & { firstSeq: number | null })[] {
  const inView = parts.filter((part) => shareOf(part, view) > 0);
  const size = Math.max(1, Math.ceil(inView.length / rowsMax));
  const rows = [];
  for (let start = 0; start < inView.length; start += size) {
    const some = inView.slice(start, start + size);
    const range = { from: some[0]?.from ?? view.from, to: some.at(-1)?.to ?? view.to };
    const firstSeq = some.find(({ first_seq }) => first_seq !== null)?.first_seq ?? null;
    const row = { ...range, ...summaryOf(some, range), firstSeq };
    if (row.steps > 0) rows.push(row);
  }
  return rows;
}
