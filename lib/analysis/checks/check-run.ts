import { hashOf } from "#lib/analysis/hash.ts";
import { type Call, quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisEvidence, AnalysisTestRun } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { endsOfText } from "#lib/entry/text-ends.ts";
import type { Check } from "./check.ts";
import { checksOf } from "./check-command.ts";
import type { OutputPart, SilentLines } from "./check-lines.ts";
import { type CheckVerdict, type Company, verdictOf } from "./check-verdict.ts";
import { cut, quoteOf } from "./output-lines.ts";

/** A run of a check that may not have ended yet. */
export type OpenCheck = {
  check: Check;
  /** Equal for runs of the same check: its suite, its targets and where it runs. */
  key: number;
  run: AnalysisTestRun;
  parts: OutputPart[];
  company: Company;
  start: AnalysisEvidence;
};

/** How much is kept of a call's later output, in UTF-16 units. */
const heldMax = 160_000;
const heldEnds = { head: heldMax / 4, tail: heldMax * 0.75 };
/** The ends of an output that are searched for an exit code in words. */
const codeEnds = { head: 1_000, tail: 1_000 };

/** The checks started by a call, with its result. */
export function openChecks(step: Step, call: Call): OpenCheck[] {
  const scripts = commandsOf(call);
  const found = scripts.flatMap(({ command, cwd }) => checksOf(command).map((check) => ({ check, cwd })));
  const company: Company =
    found.length === 1 && scripts.length === 1 ? "none" : scripts.length === 1 ? "line" : "script";
  return found.map(({ check, cwd }) => {
    const own = scripts.length > 1 ? { ...check, exit: "hidden" as const } : check;
    const key = hashOf(JSON.stringify([own.suite, own.targets, own.folder, cwd]));
    const start = { seq: step.seq, quote: quoteIn(step, own.command, analysisTextMax) };
    return { check: own, key, run: runOf(own, step, call), parts: [partOf(step, call)], company, start };
  });
}

/** Adds later output of the check; if it is too much, the oldest later output is dropped. */
export function addOutput({ parts }: OpenCheck, step: Step, call: Call): void {
  parts.push(partOf(step, call));
  const held = parts.reduce((sum, { output }) => sum + output.length, 0);
  if (held > heldMax && parts.length > 2) parts.splice(1, 1);
}

const partOf = ({ seq }: Step, { output, isEscaped }: Call): OutputPart => ({
  seq,
  output: endsOfText(output, heldEnds),
  isEscaped,
});

/** Commands of a call; a script of the agent's harness may run several. */
function commandsOf({ view, input }: Call): { command: string; cwd: string | null }[] {
  if (view.kind !== "shell") return [];
  if (view.language !== "javascript") return [{ command: view.command, cwd: view.cwd }];
  const script = view.command.slice(0, 50_000);
  const commands = [...script.matchAll(/\b(?:cmd|command): ?("(?:[^"\\\n]|\\.)*")/g)].flatMap(([, quoted]) => {
    try {
      return [String(JSON.parse(quoted ?? '""'))];
    } catch {
      return [];
    }
  });
  const cwd = typeof input.workdir === "string" ? input.workdir : null;
  return commands.map((command) => ({ command, cwd }));
}

function runOf(check: Check, step: Step, call: Call): AnalysisTestRun {
  return {
    seq: step.seq,
    read_seq: step.seq,
    command: cut(check.command, analysisTextMax),
    kind: check.kind,
    framework: check.framework,
    passed: null,
    failed: null,
    skipped: null,
    verdict: "unknown",
    exit: "hidden",
    flagged: call.outcome === "failed",
    quote: null,
  };
}

/** Updates a run from its output so far; `hasEnded` if nothing will follow. */
export function updateTestRun(
  { check, run, parts, company }: OpenCheck,
  step: Step,
  call: Call,
  { hasEnded, silent }: { hasEnded: boolean; silent: SilentLines },
): CheckVerdict {
  const isOk = hasEnded ? (call.outcome === "ok" ? hasFlags(call) : call.outcome === "failed" ? false : null) : null;
  const result = verdictOf(check, parts, { code: hasEnded ? codeOf(call) : null, isOk }, company, silent);
  // A check that has not ended has not passed yet.
  const isSure = hasEnded || result.verdict === "fail";
  run.verdict = isSure ? result.verdict : "unknown";
  run.passed = result.passed;
  run.failed = result.failed;
  run.skipped = result.skipped;
  run.framework = result.framework?.slice(0, 40) ?? run.framework;
  run.exit = result.isExitSeen ? "seen" : "hidden";
  run.flagged ||= call.outcome === "failed";
  run.read_seq = result.quote?.seq ?? (hasEnded ? step.seq : run.seq);
  const quote =
    result.quote === null || !isSure ? "" : quoteOf(result.quote.raw, analysisTextMax, result.quote.isEscaped);
  run.quote = quote === "" ? null : quote;
  return result;
}

/** An exit code in words, for tools that return none. */
function codeOf(call: Call): number | null {
  if (call.exitCode !== null) return call.exitCode;
  const result =
    /(?:^|\n)(?:<returncode>|(?:Exit code:?|Process exited with code|Command exited with code|Exit status) )(\d{1,3})(?:\n|$|<\/)/i.exec(
      endsOfText(call.output, codeEnds),
    );
  return result === null ? null : Number(result[1]);
}

/** True if the tool would have reported a failure, so that no report means success; null if unknown. */
function hasFlags({ output, isEscaped, tellsFailure }: Call): boolean | null {
  // A script of the agent's harness runs to its end whatever its commands return.
  if (/^Script (?:completed\n|running with cell ID )/.test(output) || isEscaped) return null;
  return tellsFailure ? true : null;
}
