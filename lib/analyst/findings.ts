import type { Analysis, AnalysisTestRun } from "#lib/contract/logs/analysis.ts";
import { repeatWords, wasteWords } from "#lib/contract/logs/analysis-words.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { partialNote } from "./answer-words.ts";
import { stepLink, type Trace } from "./trace-info.ts";

/** Part of the built-in analysis: Markdown, and the steps it names. */
export type Finding = { section: string; text: string; seqs: number[] };

/** Maximum number of items written out per section. */
const itemsMax = 10;
/** Maximum number of linked steps per item. */
const linksMax = 5;

/** Findings of the rules, one section each; empty sections are left out. */
export function findingsOf({ info, analysis }: Trace): Finding[] {
  const link = (seq: number) => stepLink(info.web_url, seq);
  const sections: [string, Line[]][] = [
    ["Outcome", [[outcomeWords(analysis), analysis.outcome.seq === null ? [] : [analysis.outcome.seq]]]],
    ["Causes", analysis.causes.map((cause) => [causeWords(cause), cause.evidence.map(({ seq }) => seq)])],
    ["Tests", testLines(analysis)],
    [
      "Errors",
      analysis.errors.map(({ sample, count, seqs, resolved_at }) => [
        `${code(sample)}, happened ${times(count)}, ${resolved_at === null ? "never resolved" : "resolved later"}`,
        resolved_at === null ? seqs : [...seqs.slice(0, linksMax - 1), resolved_at],
      ]),
    ],
    [
      "Repeats",
      analysis.repeats.map(({ kind, call, count, seqs }) => [
        `${repeatWords[kind]}: ${code(call)}, ${times(count)}`,
        seqs,
      ]),
    ],
    [
      "Waste",
      analysis.waste.items.map(({ rule, seqs, bytes }) => [`${wasteWords[rule]}: ${formatBytes(bytes)}`, seqs]),
    ],
    ["Slowest calls", analysis.slowest.map(({ seq, call, ms }) => [`${code(call)}: ${secondsWords(ms)}`, [seq]])],
    ["What the log does not show", analysis.limits.map((limit) => [plain(limit), []])],
  ];
  return sections.flatMap(([section, lines]) => {
    if (lines.length === 0) return [];
    const shown = lines.slice(0, itemsMax);
    const items = shown.map(([words, seqs]) => {
      const links = [...new Set(seqs)].slice(0, linksMax).map(link).join(", ");
      return `- ${words}${links === "" ? "" : ` (${links})`}`;
    });
    const more = lines.length > itemsMax ? [`- ${lines.length - itemsMax} more in the Analysis tab of the run`] : [];
    const seqs = [...new Set(shown.flatMap(([, found]) => found.slice(0, linksMax)))];
    return [{ section, text: [`**${section}**`, "", ...items, ...more].join("\n"), seqs }];
  });
}

/** The analysis in a few sentences, for a reader who reads nothing else. */
export function summaryOf({ info, analysis }: Trace): string {
  const link = (seq: number) => stepLink(info.web_url, seq);
  const [cause] = analysis.causes;
  const { last } = analysis.tests;
  const evidence = cause?.evidence[0]?.seq;
  const sentences = [
    outcomeWords(analysis),
    cause === undefined || evidence === undefined ? null : `${causeWords(cause)} (${link(evidence)}).`,
    last === null ? null : `The last test run ${last.verdict === "pass" ? "passed" : "failed"} (${link(last.seq)}).`,
    countWords(analysis),
    info.partial ? partialNote(info) : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join("\n\n");
}

type Line = [words: string, seqs: number[]];

function outcomeWords({ outcome, analysed }: Analysis): string {
  const { status, verdict, ended_by } = outcome;
  if (verdict === null) return `The run is still working; ${counted(analysed, "step")} so far.`;
  const by = ended_by === "person" ? "a person" : ended_by === "limit" ? "a limit" : "Errand";
  switch (verdict) {
    case "answered":
      return "The run ended with an answer.";
    case "gave_up":
      return "The agent says it did not succeed.";
    case "stopped":
      return `The run was stopped by ${by}.`;
    case "broken":
      if (status === "failed") return "The run failed.";
      return status === "interrupted" ? "The run was interrupted." : "The run broke off.";
  }
}

function causeWords({ title, confidence }: Analysis["causes"][number]): string {
  return `Cause (${confidence}): ${plain(title)}`;
}

function testLines({ tests }: Analysis): Line[] {
  const marks: [string, typeof tests.before][] =
    tests.before === null && tests.after === null
      ? [["The last time", tests.last]]
      : [
          ["Before the first change", tests.before],
          ["After the last change", tests.after],
        ];
  return [
    ...marks.flatMap(([when, run]): Line[] => (run === null ? [] : [[`${when}: ${testWords(run)}`, [run.seq]]])),
    ...tests.regressed.map(
      ({ command, green_seq, red_seq, resolved_seq }): Line => [
        `${code(command)} passed, then failed, ${resolved_seq === null ? "and stayed so" : "and passed again"}`,
        [green_seq, red_seq, ...(resolved_seq === null ? [] : [resolved_seq])],
      ],
    ),
    ...tests.expectation_changes.map(
      ({ path, seqs }): Line => [`${code(path)} was edited between a failing and a passing run of the tests`, seqs],
    ),
  ];
}

function testWords({
  command,
  verdict,
  passed,
  failed,
}: Pick<AnalysisTestRun, "command" | "verdict" | "passed" | "failed">): string {
  const counts = [passed === null ? null : `${passed} passed`, failed === null ? null : `${failed} failed`];
  const shown = counts.filter((count) => count !== null).join(", ");
  return `${code(command)}: ${verdictWords[verdict]}${shown === "" ? "" : ` (${shown})`}`;
}

function countWords({ totals }: Analysis): string {
  const { calls, failed, error_entries } = totals;
  return `${counted(calls, "tool call")}, ${failed} failed. ${counted(error_entries, "run error")}.`;
}

const verdictWords = {
  pass: "passed",
  fail: "failed",
  error: "could not run",
  unknown: "no verdict in the log",
} as const;
function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function secondsWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** Words from the log as code, whatever characters they contain. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
}
