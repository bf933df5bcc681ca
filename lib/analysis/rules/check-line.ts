import type { TestKind } from "#lib/contract/analysis.ts";

/**
 * What a line of a checker's output says. summary: how all of it went, with counts or in words. fail: something failed. pass: a part
 * passed. wrapper: the program around the checker says that it failed. error: the check itself could not run; strong outranks
 * failures, which then follow from it.
 */
export type LineMark = "summary" | "fail" | "pass" | "wrapper" | "error" | "strong_error";

/** A rule for single lines of output. Named groups of `pattern` are counts: passed, failed, errors, skipped, total. */
export type LineRule = {
  framework: string | null;
  kind: TestKind | null;
  mark: LineMark;
  pattern: RegExp;
  /** Of a summary in words: what it says. */
  verdict?: "pass" | "fail";
  /** The line tells of passes only: failures are told on another one, without which a pass is not sure. */
  isPart?: boolean;
  /** Holds for checks of its kind alone. */
  isOnly?: boolean;
  /** Its lines begin with a file and the number of a line: `a.py:3: …`. */
  isPlace?: boolean;
  /** Counts only behind a line like this. */
  after?: RegExp;
};

/** Figures of a line. */
export type LineCounts = { passed: number | null; failed: number | null; skipped: number | null };

/** The counts that a match has; errors count as failures; passed is what is left of the total where only that is told. */
export function countsOf(match: RegExpExecArray): LineCounts {
  const groups = match.groups ?? {};
  const read = (name: string) => (groups[name] === undefined ? null : Number(groups[name].replaceAll(",", "")));
  const failures = read("failed");
  const errors = read("errors");
  const failed = failures === null && errors === null ? null : (failures ?? 0) + (errors ?? 0);
  const skipped = read("skipped");
  const total = read("total");
  const passed = read("passed") ?? (total === null ? null : Math.max(0, total - (failed ?? 0) - (skipped ?? 0)));
  return { passed, failed, skipped };
}
