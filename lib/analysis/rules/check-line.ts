import type { TestKind } from "#lib/contract/logs/analysis.ts";

/**
 * Meaning of a line of a checker's output. summary: the overall result, with counts or in words. fail: something failed. pass:
 * a part passed. wrapper: the program around the checker says that it failed. error: the check itself could not run; strong
 * outranks failures, which then follow from it.
 */
export type LineMark = "summary" | "fail" | "pass" | "wrapper" | "error" | "strong_error";

/** A rule for single lines of output. Named groups of `pattern` are counts: passed, failed, errors, skipped, total. */
export type LineRule = {
  framework: string | null;
  kind: TestKind | null;
  mark: LineMark;
  pattern: RegExp;
  /** Verdict of a summary in words. */
  verdict?: "pass" | "fail";
  /** The line reports only passes: failures are on another one, without which a pass is not certain. */
  isPart?: boolean;
  /** Applies only to checks of its kind. */
  isOnly?: boolean;
  /** Its lines begin with a file and the number of a line: `a.py:3: …`. */
  isPlace?: boolean;
  /** Counts only after a line like this. */
  after?: RegExp;
};

/** Figures of a line. */
export type LineCounts = { passed: number | null; failed: number | null; skipped: number | null };

/** Counts in a match; errors count as failures; passed is the rest of the total if only that is given. */
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
