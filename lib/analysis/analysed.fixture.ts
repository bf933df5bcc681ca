import { Analysis } from "#lib/contract/logs/analysis.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { visitValues } from "#lib/entry/entry-text.ts";
import { type AnalysedRun, Analyzer } from "./analyse.ts";
import type { StoredEntry } from "./step.ts";

/** Analysis of entries, checked against the contract; `askEvery` asks for it in between, which must change nothing. */
export function analysed(
  entries: readonly StoredEntry[],
  {
    status = "completed",
    askEvery = 0,
    denials = [],
    totalLogs = entries.length,
  }: { status?: RunStatus; askEvery?: number } & Partial<Pick<AnalysedRun, "denials" | "totalLogs">> = {},
): Analysis {
  const analyser = new Analyzer();
  const run = { id: 1, status, totalLogs, keptPaths: null, denials };
  for (const [place, entry] of entries.entries()) {
    analyser.add(entry);
    if (askEvery > 0 && place % askEvery === 0) analyser.result(run);
  }
  return Analysis.parse(analyser.result(run));
}

/** Every quoting claim of an analysis, with its quote. */
export function quotesOf({ causes, tests, errors, repeats }: Analysis): { of: string; seq: number; quote: string }[] {
  return [
    ...causes.flatMap(({ rule, evidence }) => evidence.map((one) => ({ of: rule, ...one }))),
    ...tests.runs.flatMap(({ read_seq, quote, verdict }) =>
      quote === null ? [] : [{ of: `test ${verdict}`, seq: read_seq, quote }],
    ),
    ...errors.flatMap(({ seqs, sample }) => seqs.slice(0, 1).map((seq) => ({ of: "error", seq, quote: sample }))),
    ...repeats.flatMap(({ kind, seqs, call }) => seqs.slice(0, 1).map((seq) => ({ of: kind, seq, quote: call }))),
  ];
}

/** Claims whose quotes are not in the entries they name. */
export function falseQuotes(entries: readonly StoredEntry[], analysis: Analysis): string[] {
  return quotesOf(analysis).flatMap(({ of, seq, quote }) => {
    const entry = entries[seq - 1];
    return entry !== undefined && quote !== "" && stands(entry, quote)
      ? []
      : [`${of} at ${seq}: ${JSON.stringify(quote)}`];
  });
}

function stands(entry: StoredEntry, quote: string): boolean {
  let isHeld = entry.message_type === quote;
  visitValues(entry, (text) => {
    isHeld ||= text.includes(quote);
    return !isHeld;
  });
  return isHeld;
}
