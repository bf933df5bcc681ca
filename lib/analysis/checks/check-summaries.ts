import type { LineCounts } from "#lib/analysis/rules/check-line.ts";
import type { Check } from "./check.ts";
import type { MarkedLine } from "./check-lines.ts";

/** Summary of a whole run of checks by its framework. */
export type Summary = LineCounts & {
  framework: string | null;
  verdict: "pass" | "fail";
  /** It covers the whole run: anything it does not mention cannot have failed. */
  isSure: boolean;
  mark: MarkedLine;
};

/** Summaries in order: lines of a framework belong together until a number repeats. */
export function summariesOf(check: Pick<Check, "kind" | "filters">, marks: readonly MarkedLine[]): Summary[] {
  const isCut = isCutByPattern(check);
  const summaries: Summary[] = [];
  for (const mark of marks) {
    if (mark.rule.mark !== "summary") continue;
    const { framework } = mark.rule;
    const open = summaries.findLast((summary) => summary.framework === framework);
    const { passed, failed, skipped } = mark.counts;
    const isMore =
      open !== undefined &&
      mark.rule.verdict === undefined &&
      framework !== null &&
      !(passed !== null && open.passed !== null) &&
      !(failed !== null && open.failed !== null) &&
      !(skipped !== null && open.skipped !== null);
    if (isMore) {
      open.passed ??= passed;
      open.failed ??= failed;
      open.skipped ??= skipped;
      if ((failed ?? 0) > 0) {
        open.verdict = "fail";
        open.mark = mark;
      }
      if (failed !== null) open.isSure = true;
    } else {
      const verdict = mark.rule.verdict ?? ((failed ?? 0) > 0 ? "fail" : "pass");
      // A linter's summary does not cover everything in a script of several checks.
      const isOwn = mark.rule.kind === null || mark.rule.kind === check.kind;
      const isSure = isOwn && (mark.rule.isPart !== true || !isCut);
      summaries.push({ framework, passed, failed, skipped, verdict, isSure, mark });
    }
  }
  // When biome has checked everything and found something, it prints both.
  return summaries;
}

/** A filter keeps lines by a pattern, so missing lines mean nothing. */
export function isCutByPattern({ filters }: Pick<Check, "filters">): boolean {
  return filters.some(([name]) => /^(grep|egrep|rg|ag|awk|sed|wc|cut|jq|sort|uniq)$/.test(name ?? ""));
}
