import { hashOfPart } from "#lib/analysis/hash.ts";
import { countsOf, type LineCounts, type LineRule } from "#lib/analysis/rules/check-line.ts";
import { javascriptLines } from "#lib/analysis/rules/javascript-lines.ts";
import { lintAndTypeLines } from "#lib/analysis/rules/lint-and-type-lines.ts";
import { nativeLines } from "#lib/analysis/rules/native-lines.ts";
import { otherLines } from "#lib/analysis/rules/other-lines.ts";
import { pythonLines } from "#lib/analysis/rules/python-lines.ts";
import { setupErrorLines } from "#lib/analysis/rules/setup-error-lines.ts";
import { wrapperLines } from "#lib/analysis/rules/wrapper-lines.ts";
import type { Check } from "./check.ts";
import { lineOf, type OutputLine, tellingPlaces } from "./output-lines.ts";

/** Part of a check's output: the result of the call that started it, then output read later. */
export type OutputPart = { seq: number; output: string; isEscaped: boolean };

/** A relevant line of a check's output, with the first rule that matches. */
export type MarkedLine = {
  rule: LineRule;
  line: OutputLine;
  seq: number;
  isEscaped: boolean;
  counts: LineCounts;
};

/** Hashes of irrelevant lines. Checks print nearly the same each time, so that most need to be examined only once. */
export class SilentLines {
  readonly #hashes = new Float64Array(32_768);

  has(hash: number): boolean {
    return this.#hashes[hash & (this.#hashes.length - 1)] === hash;
  }

  /** A collision replaces the earlier line. */
  add(hash: number): void {
    this.#hashes[hash & (this.#hashes.length - 1)] = hash;
  }
}

/**
 * Lines of an output that match a rule, in order. Next to other checks (`isAlone` false), lines of other kinds do not belong to
 * this one.
 */
export function markedLines(
  check: Pick<Check, "kind">,
  parts: readonly OutputPart[],
  isAlone: boolean,
  silent: SilentLines,
): MarkedLine[] {
  const marks: MarkedLine[] = [];
  const led = new Set<LineRule>();
  const isFor = ({ kind, isOnly }: LineRule) => kind === null || kind === check.kind || (isAlone && isOnly !== true);
  for (const { seq, output, isEscaped } of parts) {
    const places = tellingPlaces(output);
    for (let at = 0; at < places.length; at += 2) {
      const from = places[at] ?? 0;
      const to = places[at + 1] ?? 0;
      const hash = hashOfPart(output, from, to);
      if (silent.has(hash)) continue;
      const line = lineOf(output.slice(from, to));
      const text = line === null ? "" : withoutPrefix(line.text);
      if (line === null || !(mayTell(text) || mayLead(line.text))) {
        silent.add(hash);
        continue;
      }
      for (const rule of rulesLed) if (rule.after?.test(line.text)) led.add(rule);
      for (const rule of rules) {
        if (!isFor(rule)) continue;
        const match = rule.pattern.exec(text);
        if (match === null || (rule.after !== undefined && !led.has(rule))) continue;
        marks.push({ rule, line, seq, isEscaped, counts: countsOf(match) });
        break;
      }
    }
  }
  return marks;
}

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
const mayLead = (text: string) => rulesLed.some(({ after }) => after?.test(text));
/** Most lines match no rule, which two quick tests show: one for their beginning, one for words anywhere. */
const isAnchored = ({ pattern: { source } }: LineRule) => source.startsWith("^") && !hasBareChoice(source);
const places = unionOf(rules.filter(({ isPlace }) => isPlace === true));
const anchored = unionOf(rules.filter((rule) => isAnchored(rule) && !rule.pattern.ignoreCase && rule.isPlace !== true));
const anchoredOfAnyCase = unionOf(rules.filter((rule) => isAnchored(rule) && rule.pattern.ignoreCase));
const others = unionOf(rules.filter((rule) => !isAnchored(rule) && !rule.pattern.ignoreCase));
const othersOfAnyCase = unionOf(rules.filter((rule) => !isAnchored(rule) && rule.pattern.ignoreCase));

function mayTell(text: string): boolean {
  if (anchored.test(text) || anchoredOfAnyCase.test(text) || others.test(text) || othersOfAnyCase.test(text))
    return true;
  const behindColon = text.charCodeAt(text.indexOf(":") + 1);
  return behindColon >= digits.first && behindColon <= digits.last && places.test(text);
}

const digits = { first: "0".charCodeAt(0), last: "9".charCodeAt(0) };

/** One pattern that matches wherever one of these does; all of them have the same flags. */
function unionOf(some: readonly LineRule[]): RegExp {
  const sources = some.map(({ pattern }) => pattern.source.replaceAll(/\(\?<\w+>/g, "(?:"));
  const isStart = some.every(isAnchored);
  const union = sources.map((source) => (isStart ? source.slice(1) : source)).join("|");
  return new RegExp(isStart ? `^(?:${union})` : union, some[0]?.pattern.flags ?? "");
}

/** True if a pattern's alternatives are not in parentheses, so that `^` applies only to the first. */
function hasBareChoice(source: string): boolean {
  let open = 0;
  for (const [token] of source.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()|]/g)) {
    if (token === "(") open += 1;
    else if (token === ")") open -= 1;
    else if (token === "|" && open === 0) return true;
  }
  return false;
}

/** With several packages, runners put the package's name before each line: `web test: 5 passed`. */
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
