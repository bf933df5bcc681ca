import type { TestVerdict } from "#lib/contract/analysis.ts";
import type { Check } from "./check-command.ts";
import { failedTestName } from "./failed-test.ts";
import { linesOf, type OutputLine, tellingLines } from "./output-lines.ts";
import { programOf } from "./program.ts";
import { countsOf, type LineCounts, type LineRule } from "./rules/check-line.ts";
import { javascriptLines } from "./rules/javascript-lines.ts";
import { lintAndTypeLines } from "./rules/lint-and-type-lines.ts";
import { mayNameMissing, missingProgramIn } from "./rules/missing-program.ts";
import { nativeLines } from "./rules/native-lines.ts";
import { otherLines } from "./rules/other-lines.ts";
import { pythonLines } from "./rules/python-lines.ts";
import { setupErrorLines } from "./rules/setup-error-lines.ts";
import { wrapperLines } from "./rules/wrapper-lines.ts";

const rules: readonly LineRule[] = [
  ...setupErrorLines,
  ...javascriptLines,
  ...pythonLines,
  ...nativeLines,
  ...otherLines,
  ...lintAndTypeLines,
  ...wrapperLines,
];
const rulesLed = rules.filter(({ after }) => after !== undefined);
/** Most lines are taken by no rule: one look at their beginning tells, and one for words anywhere. */
const isAnchored = ({ pattern: { source } }: LineRule) => source.startsWith("^") && !hasBareChoice(source);
const anchored = unionOf(rules.filter((rule) => isAnchored(rule) && !rule.pattern.ignoreCase));
const anchoredOfAnyCase = unionOf(rules.filter((rule) => isAnchored(rule) && rule.pattern.ignoreCase));
const others = unionOf(rules.filter((rule) => !isAnchored(rule) && !rule.pattern.ignoreCase));
const othersOfAnyCase = unionOf(rules.filter((rule) => !isAnchored(rule) && rule.pattern.ignoreCase));

/** One pattern that matches wherever one of these does; all of them have the same flags. */
function unionOf(some: readonly LineRule[]): RegExp {
  const sources = some.map(({ pattern }) => pattern.source.replaceAll(/\(\?<\w+>/g, "(?:"));
  const isStart = some.every(isAnchored);
  const union = sources.map((source) => (isStart ? source.slice(1) : source)).join("|");
  return new RegExp(isStart ? `^(?:${union})` : union, some[0]?.pattern.flags ?? "");
}

/** True where a pattern's choice is not inside of parentheses, so that `^` holds for its first branch alone. */
function hasBareChoice(source: string): boolean {
  let open = 0;
  for (const [token] of source.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()|]/g)) {
    if (token === "(") open += 1;
    else if (token === ")") open -= 1;
    else if (token === "|" && open === 0) return true;
  }
  return false;
}

function mayTell(text: string): boolean {
  return anchored.test(text) || anchoredOfAnyCase.test(text) || others.test(text) || othersOfAnyCase.test(text);
}

/** A part of a check's output: what the call that started it answered, then what was read later. */
export type OutputPart = { seq: number; output: string; isEscaped: boolean };

/** How the call ended as far as its exit code tells; null where nobody saw it. */
export type SeenExit = { code: number | null; isOk: boolean | null };

/** A verdict with the words that tell it, null where the exit code alone does. */
export type CheckVerdict = LineCounts & {
  verdict: TestVerdict;
  framework: string | null;
  quote: { seq: number; raw: string; isEscaped: boolean } | null;
  /** The exit code is the check's own. */
  isExitSeen: boolean;
  /** Names of failed tests, in order, each once; at most 100. */
  failedTests: string[];
};

/** What else runs in the call of a check: nothing that is one, other checks of the same line, or other commands of a script. */
export type Company = "none" | "line" | "script";

type Marked = { rule: LineRule; line: OutputLine; seq: number; isEscaped: boolean; counts: LineCounts };
type Summary = LineCounts & { framework: string | null; verdict: "pass" | "fail"; isSure: boolean; mark: Marked };

/**
 * The verdict of a check by what it printed and, where it is the check's own, by its exit code. With other checks in its
 * call lines of other kinds are not this one's; in a script nobody knows where its own output ends.
 */
export function verdictOf(
  check: Pick<Check, "kind" | "exit" | "filters" | "command">,
  parts: readonly OutputPart[],
  exit: SeenExit,
  company: Company,
): CheckVerdict {
  const marks = markedLines(check, parts, company === "none");
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
  const say = (verdict: TestVerdict, mark: Marked | null): CheckVerdict => ({
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
    // The last summary is that of the whole; earlier ones may be those of tests about tests.
    if (last?.verdict === "fail") return say("fail", last.mark);
    // A reproduction may show the fault and end well all the same.
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
      killed.has(seen) ? "unknown" : seen === 126 || seen === 127 ? "error" : "fail",
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
/** Exit codes of a check that was stopped: by `timeout`, by a signal. */
const killed = new Set([124, 130, 137, 143]);

function countsFor(summary: Summary | null): LineCounts {
  return summary === null ? noCounts : { passed: summary.passed, failed: summary.failed, skipped: summary.skipped };
}

function markedLines(check: Pick<Check, "kind">, parts: readonly OutputPart[], isAlone: boolean): Marked[] {
  const marks: Marked[] = [];
  const led = new Set<LineRule>();
  for (const { seq, output, isEscaped } of parts) {
    for (const line of tellingLines(output)) {
      for (const rule of rulesLed) if (rule.after?.test(line.text)) led.add(rule);
      const text = withoutPrefix(line.text);
      if (!mayTell(text)) continue;
      for (const rule of rules) {
        if ((rule.isOnly === true || !isAlone) && rule.kind !== null && rule.kind !== check.kind) continue;
        const match = rule.pattern.exec(text);
        if (match === null || (rule.after !== undefined && !led.has(rule))) continue;
        marks.push({ rule, line, seq, isEscaped, counts: countsOf(match) });
        break;
      }
    }
  }
  return marks;
}

/** Runs of several packages put the package's name before each line: `web test: 5 passed`. */
function withoutPrefix(text: string): string {
  // Without one of these there is no such name, and most lines have neither.
  if (!text.startsWith("[") && !text.includes(": ")) return text;
  return (
    text
      .replace(
        /^(?:\[[\w:@/.-]+\] |@?[\w/.-]+ (?:test|lint|build|typecheck)(?::\w+)?: |@?[\w/.-]+:(?:test|lint|build|typecheck): )+/,
        "",
      )
      .trim() || text
  );
}

/** Summaries in order: lines of a framework belong together until a figure comes again. */
function summariesOf(check: Pick<Check, "kind" | "filters">, marks: readonly Marked[]): Summary[] {
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

function showsFault(output: string): boolean {
  return /error|exception|fail|bug\b|traceback|mismatch|incorrect|wrong|differ|unexpected/i.test(
    output.slice(0, 50_000),
  );
}

/** `… | grep error | wc -l` prints how many faults there are. */
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

/** The exit code that is the check's own, or null. */
function exitOf(check: Pick<Check, "exit">, parts: readonly OutputPart[], exit: SeenExit): number | null {
  if (check.exit === "echoed") {
    for (const { output } of parts.toReversed()) {
      const echoed = linesOf(output).findLast(({ text }) =>
        /(?:exit|code|status|rc|result|\$\?)\W{0,3}\d{1,3}$|^\d{1,3}$/i.test(text),
      );
      if (echoed !== undefined) return Number(/(\d{1,3})$/.exec(echoed.text)?.[1]);
    }
    return null;
  }
  if (check.exit === "hidden") return null;
  const code = exit.code ?? (exit.isOk === true ? 0 : null);
  return check.exit === "all" && code !== 0 ? null : code;
}

/** A filter keeps lines by a pattern, so what is missing says nothing. */
function isCutByPattern({ filters }: Pick<Check, "filters">): boolean {
  return filters.some(([name]) => /^(grep|egrep|rg|ag|awk|sed|wc|cut|jq|sort|uniq)$/.test(name ?? ""));
}

function isCut(check: Pick<Check, "filters">): boolean {
  return isCutByPattern(check) || check.filters.some(([name]) => name === "head");
}

/** Of a run of many packages the last line says FAIL where any failed: its end without that is a pass. */
function isGoTest({ kind }: Pick<Check, "kind">, { rule }: Marked): boolean {
  return kind === "test" && rule.framework === "go";
}

/** The line that says that the checker itself is not there. */
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

/** True where a command runs a program of this name, or is a script that may run it. */
function namesProgram(command: string, name: string): boolean {
  const program = programOf(command.split(/\s+/));
  if (program === null) return false;
  return (
    program.name === name || command.includes(name) || /^(npm|pnpm|yarn|bun|mise|make|just|task)$/.test(program.name)
  );
}

/** The first line that names a failed test, in the same entry as the line that tells the verdict: it says more than a count. */
function namedFailure(parts: readonly OutputPart[], mark: Marked | null): CheckVerdict["quote"] {
  for (const { seq, output, isEscaped } of parts) {
    if (mark !== null && mark.seq !== seq) continue;
    const line = tellingLines(output).find(({ text }) => failedTestName(text) !== null);
    if (line !== undefined) return { seq, raw: line.raw, isEscaped };
  }
  return null;
}

function failedTestsOf(marks: readonly Marked[]): string[] {
  const names = new Set<string>();
  for (const { rule, line } of marks) {
    if (rule.mark !== "fail" || names.size >= 100) continue;
    const name = failedTestName(line.text);
    if (name !== null) names.add(name.slice(0, 200));
  }
  return [...names];
}
