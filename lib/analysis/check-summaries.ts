import type { Check } from "./check-command.ts";
import type { MarkedLine } from "./check-lines.ts";
import type { LineCounts } from "./rules/check-line.ts";

/** How a whole run of checks went, as a framework sums it up. */
export type Summary = LineCounts & {
  framework: string | null;
  verdict: "pass" | "fail";
  /** It speaks for the whole run: nothing that it does not tell can have failed. */
  isSure: boolean;
  mark: MarkedLine;
};

/** Summaries in order: lines of a framework belong together until a figure comes again. */
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
      // What a linter says of itself is not all that a script of several checks does.
      const isOwn = mark.rule.kind === null || mark.rule.kind === check.kind;
      const isSure = isOwn && (mark.rule.isPart !== true || !isCut);
      summaries.push({ framework, passed, failed, skipped, verdict, isSure, mark });
    }
  }
  // A biome that has checked all and found something says both.
  return summaries;
}

/** A filter keeps lines by a pattern, so what is missing says nothing. */
export function isCutByPattern({ filters }: Pick<Check, "filters">): boolean {
  return filters.some(([name]) => /^(grep|egrep|rg|ag|awk|sed|wc|cut|jq|sort|uniq)$/.test(name ?? ""));
}
