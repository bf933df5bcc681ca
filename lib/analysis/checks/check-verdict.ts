import type { LineCounts } from "#lib/analysis/rules/check-line.ts";
import { mayNameMissing, missingProgramIn } from "#lib/analysis/rules/missing-program.ts";
import type { TestVerdict } from "#lib/contract/logs/analysis.ts";
import type { Check } from "./check.ts";
import { exitOf, type SeenExit, stoppedExits } from "./check-exit.ts";
import { type MarkedLine, markedLines, type OutputPart, type SilentLines } from "./check-lines.ts";
import { isCutByPattern, type Summary, summariesOf } from "./check-summaries.ts";
import { failedTestName } from "./failed-test.ts";
import { lineOf, linesOf, tellingPlaces } from "./output-lines.ts";
import { programOf } from "./program.ts";

/** A verdict with the words that state it, null if only the exit code does. */
export type CheckVerdict = LineCounts & {
  verdict: TestVerdict;
  framework: string | null;
  quote: { seq: number; raw: string; isEscaped: boolean } | null;
  /** The exit code is the check's own. */
  isExitSeen: boolean;
  /** Names of failed tests, in order, without duplicates; at most 100. */
  failedTests: string[];
};

/** What else runs in a check's call: nothing relevant, other checks on the same line, or other commands of a script. */
export type Company = "none" | "line" | "script";

/**
 * Verdict of a check from its output and, if it is the check's own, its exit code. With other checks in its call, lines of
 * other kinds do not count; in a script it is unknown where its own output ends.
 */
export function verdictOf(
  check: Pick<Check, "kind" | "exit" | "filters" | "command">,
  parts: readonly OutputPart[],
  exit: SeenExit,
  company: Company,
  silent: SilentLines,
): CheckVerdict {
  const marks = markedLines(check, parts, company === "none", silent);
  const seen = exitOf(check, parts, exit);
  const summaries = summariesOf(check, marks);
  const last = summaries.at(-1) ?? null;
  const failing = summaries.find(({ verdict }) => verdict === "fail") ?? null;
  const by = (mark: string) => marks.find(({ rule }) => rule.mark === mark) ?? null;
  const fail = by("fail");
  const wrapper = by("wrapper");
  const strong = by("strong_error");
  const counted = summaries.findLast(({ passed, failed }) => passed !== null || failed !== null) ?? last;
  const counts = countsFor(seen === 0 ? counted : (failing ?? counted));
  const base = { ...counts, isExitSeen: seen !== null, failedTests: failedTestsOf(marks) };
  const say = (verdict: TestVerdict, mark: MarkedLine | null): CheckVerdict => ({
    ...base,
    verdict,
    framework:
      mark?.rule.framework ??
      last?.framework ??
      marks.find(({ rule }) => rule.framework !== null)?.rule.framework ??
      null,
    quote:
      (verdict === "fail" && check.kind === "test" && company !== "script" ? namedFailure(parts, mark) : null) ??
      (mark === null ? null : { seq: mark.seq, raw: mark.line.raw, isEscaped: mark.isEscaped }),
  });

  if (seen === 0) {
    // The last summary is the overall one; earlier ones may come from tests about tests.
    if (last?.verdict === "fail") return say("fail", last.mark);
    // A reproduction may show the fault and still exit successfully.
    if (check.kind === "script" && last === null && parts.some(({ output }) => showsFault(output)))
      return say("unknown", null);
    return say("pass", last?.mark ?? by("pass"));
  }
  const missing = missingProgramOf(check, parts);
  if (missing !== null) return { ...say("error", null), quote: missing };
  if (failing !== null) return say("fail", failing.mark);
  if (strong !== null) return say("error", strong);
  if (fail !== null && (last === null || seen !== null || !last.isSure)) return say("fail", fail);
  const error = by("error");
  if (last === null && error !== null && seen !== 0) return say("error", error);
  if (seen === null && wrapper !== null) return say(error === null ? "fail" : "error", wrapper);
  if (seen !== null)
    return say(
      stoppedExits.has(seen) ? "unknown" : seen === 126 || seen === 127 ? "error" : "fail",
      wrapper ?? last?.mark ?? null,
    );
  const counting = countedFaults(check, parts);
  if (counting !== null) return { ...say("fail", null), quote: counting };
  if (last?.isSure === true) return say("pass", last.mark);
  const passed = marks.findLast(({ rule }) => rule.mark === "pass") ?? null;
  if (passed !== null && company !== "script" && !isCut(check) && exit.isOk !== false && isGoTest(check, passed))
    return say("pass", passed);
  return say("unknown", null);
}

const noCounts: LineCounts = { passed: null, failed: null, skipped: null };
function countsFor(summary: Summary | null): LineCounts {
  return summary === null ? noCounts : { passed: summary.passed, failed: summary.failed, skipped: summary.skipped };
}

function showsFault(output: string): boolean {
  return /error|exception|fail|bug\b|traceback|mismatch|incorrect|wrong|differ|unexpected/i.test(
    output.slice(0, 50_000),
  );
}

/** `… | grep error | wc -l` prints the number of faults. */
function countedFaults(check: Pick<Check, "filters">, parts: readonly OutputPart[]): CheckVerdict["quote"] {
  const last = check.filters.at(-1);
  const isCount =
    last !== undefined &&
    (last.join(" ") === "wc -l" || (last[0] === "grep" && last.some((word) => /^-\w*c/.test(word))));
  const seeksFaults = check.filters.some(
    (words) => /^(grep|egrep|rg)$/.test(words[0] ?? "") && /error|fail|✖|✗/i.test(words.join(" ")),
  );
  if (!isCount || !seeksFaults) return null;
  for (const { seq, output, isEscaped } of parts) {
    const line = linesOf(output).find(({ text }) => /^[1-9]\d*$/.test(text));
    if (line !== undefined) return { seq, raw: line.raw, isEscaped };
  }
  return null;
}

function isCut(check: Pick<Check, "filters">): boolean {
  return isCutByPattern(check) || check.filters.some(([name]) => name === "head");
}

/** For many packages the last line says FAIL if any failed: an end without it means success. */
function isGoTest({ kind }: Pick<Check, "kind">, { rule }: MarkedLine): boolean {
  return kind === "test" && rule.framework === "go";
}

/** The line that says that the checker itself is missing. */
function missingProgramOf(check: Pick<Check, "command">, parts: readonly OutputPart[]): CheckVerdict["quote"] {
  for (const { seq, output, isEscaped } of parts) {
    const start = output.slice(0, 4_000);
    if (!mayNameMissing(start)) continue;
    for (const { text, raw } of linesOf(start)) {
      const name = missingProgramIn(text);
      if (name !== null && namesProgram(check.command, name)) return { seq, raw, isEscaped };
    }
  }
  return null;
}

/** True if a command runs a program of this name, or is a script that may run it. */
function namesProgram(command: string, name: string): boolean {
  const program = programOf(command.split(/\s+/));
  if (program === null) return false;
  return (
    program.name === name || command.includes(name) || /^(npm|pnpm|yarn|bun|mise|make|just|task)$/.test(program.name)
  );
}

/** The first line that names a failed test, in the same entry as the line with the verdict: it says more than a count. */
function namedFailure(parts: readonly OutputPart[], mark: MarkedLine | null): CheckVerdict["quote"] {
  for (const { seq, output, isEscaped } of parts) {
    if (mark !== null && mark.seq !== seq) continue;
    const places = tellingPlaces(output);
    for (let at = 0; at < places.length; at += 2) {
      const line = lineOf(output.slice(places[at], places[at + 1]));
      if (line !== null && failedTestName(line.text) !== null) return { seq, raw: line.raw, isEscaped };
    }
  }
  return null;
}

function failedTestsOf(marks: readonly MarkedLine[]): string[] {
  const names = new Set<string>();
  for (const { rule, line } of marks) {
    if (rule.mark !== "fail" || names.size >= 100) continue;
    const name = failedTestName(line.text);
    if (name !== null) names.add(name.slice(0, 200));
  }
  return [...names];
}
