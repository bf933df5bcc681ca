import type {
  AnalysisEvidence,
  AnalysisRegression,
  AnalysisTestRun,
  AnalysisTests,
  ExpectationChange,
} from "#lib/contract/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/analysis-bounds.ts";
import { BothEnds, RecentMap } from "./bounded.ts";
import type { ChangeLog } from "./change-log.ts";
import { type Check, checksOf, covers } from "./check-command.ts";
import { type OutputPart, SilentLines } from "./check-lines.ts";
import { type CheckVerdict, type Company, verdictOf } from "./check-verdict.ts";
import { isTestFile } from "./effects.ts";
import { hashOf } from "./hash.ts";
import { cut, quoteOf } from "./output-lines.ts";
import { type Call, quoteIn, type Step } from "./step.ts";

/** A check whose end was seen. */
export type FinishedCheck = {
  key: number;
  check: Check;
  run: AnalysisTestRun;
  failedTests: string[];
  /** Words that prove the run: those that tell its verdict, else those that start it. */
  evidence: AnalysisEvidence;
  /** The words that start it. */
  start: AnalysisEvidence;
};

/** A red check that no later green one has replaced. */
export type RedCheck = FinishedCheck & {
  /** The first red run after the last green one. */
  first: FinishedCheck;
  greenSeq: number | null;
};

type Open = {
  check: Check;
  key: number;
  run: AnalysisTestRun;
  parts: OutputPart[];
  company: Company;
  start: AnalysisEvidence;
};
type Known = {
  key: number;
  check: Check;
  lastGreen: AnalysisTestRun | null;
  lastRed: AnalysisTestRun | null;
  regression: AnalysisRegression | null;
};

/** Of a call's outputs that were waited for, so much is kept, in UTF-16 units. */
const heldMax = 160_000;

/** Follows every run of tests, type checks, linters and builds to its end. */
export class TestRuns {
  readonly #runs = new BothEnds<AnalysisTestRun>(analysisItemsMax);
  readonly #open = new RecentMap<string, Open[]>(200);
  /** What is known of the checks of a suite, by their key. */
  readonly #known = new RecentMap<string, RecentMap<number, Known>>(400);
  readonly #red = new RecentMap<number, RedCheck>(200);
  readonly #regressed = new BothEnds<AnalysisRegression>(analysisItemsMax);
  readonly #expectations = new BothEnds<ExpectationChange>(analysisItemsMax);
  readonly #silent = new SilentLines();
  #first: AnalysisTestRun | null = null;
  #last: AnalysisTestRun | null = null;
  #before: AnalysisTestRun | null = null;
  /** The last call that checked anything, whatever came of it. */
  lastCheckSeq: number | null = null;

  /** Reads a call; the checks that it ends. */
  add(step: Step, call: Call, changes: ChangeLog): FinishedCheck[] {
    if (call.continues !== null) return this.#goOn(call.continues, step, call, changes);
    if (call.view.kind !== "shell") return [];
    const scripts = commandsOf(call);
    const found = scripts.flatMap(({ command, cwd }) => checksOf(command).map((check) => ({ check, cwd })));
    if (found.length === 0) return [];
    this.lastCheckSeq = step.seq;
    const company: Company =
      found.length === 1 && scripts.length === 1 ? "none" : scripts.length === 1 ? "line" : "script";
    const opened = found.map(({ check, cwd }): Open => {
      const own = scripts.length > 1 ? { ...check, exit: "hidden" as const } : check;
      const parts = [{ seq: step.seq, output: bothEnds(call.output), isEscaped: call.isEscaped }];
      const key = hashOf(JSON.stringify([own.suite, own.targets, own.folder, cwd]));
      const run = runOf(own, step, call);
      this.#runs.add(run);
      const start = { seq: step.seq, quote: quoteIn(step, own.command, analysisTextMax) };
      return { check: own, key, run, parts, company, start };
    });
    if (call.session !== null || call.outcome === "unfinished" || call.outcome === "cancelled") {
      for (const open of opened) tell(open, step, call, { hasEnded: false, silent: this.#silent });
      if (call.session !== null) this.#open.set(call.session, opened);
      return [];
    }
    return opened.map((open) => this.#finish(open, step, call, changes));
  }

  #goOn(session: string, step: Step, call: Call, changes: ChangeLog): FinishedCheck[] {
    const opened = this.#open.get(session);
    if (opened === undefined) return [];
    for (const { parts } of opened) {
      parts.push({ seq: step.seq, output: bothEnds(call.output), isEscaped: call.isEscaped });
      const held = parts.reduce((sum, { output }) => sum + output.length, 0);
      if (held > heldMax && parts.length > 2) parts.splice(1, 1);
    }
    if (call.session !== null) this.#open.set(call.session, opened);
    if (call.session !== null || (call.outcome !== "ok" && call.outcome !== "failed")) return [];
    if (/still running|<status>running<|"?status"?: ?"?running/i.test(call.output.slice(0, 2_000))) return [];
    this.#open.delete(session);
    return opened.map((open) => this.#finish(open, step, call, changes));
  }

  #finish(open: Open, step: Step, call: Call, changes: ChangeLog): FinishedCheck {
    const said = tell(open, step, call, { hasEnded: true, silent: this.#silent });
    const { run, check, key } = open;
    const evidence = run.quote === null ? open.start : { seq: run.read_seq, quote: run.quote };
    const finished = { key, check, run, failedTests: said.failedTests, evidence, start: open.start };
    if (run.verdict !== "pass" && run.verdict !== "fail") return finished;
    if (check.kind === "test") {
      this.#first ??= run;
      this.#last = run;
      if (changes.firstEdit === null || run.seq < changes.firstEdit) this.#before = run;
    }
    if (run.verdict === "pass") this.#turnGreen(open, changes);
    else this.#turnRed(finished, changes);
    return finished;
  }

  #turnGreen({ check, key, run }: Open, changes: ChangeLog): void {
    const known = this.#knownOf(key, check);
    const suite = this.#suiteOf(check).values();
    for (const other of suite) {
      const red = other.lastRed === null || this.#red.size === 0 ? undefined : this.#red.get(other.key);
      if (red === undefined || (other !== known && !covers(check, red.check))) continue;
      this.#red.delete(other.key);
      const edited = changes
        .between(red.run.seq, run.seq)
        .flatMap(({ seq, paths }) => (paths ?? []).filter(isTestFile).map((path) => ({ seq, path })));
      const path = edited[0]?.path;
      if (path === undefined) continue;
      const seqs = [...new Set(edited.map(({ seq }) => seq))].slice(0, analysisItemsMax);
      this.#expectations.add({ red_seq: red.run.seq, green_seq: run.seq, seqs, path: cut(path, analysisTextMax) });
    }
    for (const other of suite) {
      if (other.regression === null || (other !== known && !covers(check, other.check))) continue;
      other.regression.resolved_seq = run.seq;
      other.regression = null;
    }
    known.lastGreen = run;
  }

  #turnRed(finished: FinishedCheck, changes: ChangeLog): void {
    const { key, check, run } = finished;
    const known = this.#knownOf(key, check);
    let green: AnalysisTestRun | null = null;
    for (const other of this.#suiteOf(check).values()) {
      if (other.lastGreen === null || (other !== known && !covers(other.check, check))) continue;
      if (green === null || other.lastGreen.seq > green.seq) green = other.lastGreen;
    }
    const red = this.#red.get(key);
    if (red === undefined) this.#red.set(key, { ...finished, first: finished, greenSeq: green?.seq ?? null });
    else this.#red.set(key, { ...finished, first: red.first, greenSeq: red.greenSeq });
    const isNew =
      green !== null && (known.lastRed === null || known.lastRed.seq < green.seq) && known.regression === null;
    if (isNew && green !== null) {
      const edits = changes.between(green.seq, run.seq).slice(0, analysisItemsMax);
      known.regression = {
        command: run.command,
        test: finished.failedTests[0] ?? null,
        green_seq: green.seq,
        red_seq: run.seq,
        edits: edits.map(({ seq }) => seq),
        resolved_seq: null,
      };
      this.#regressed.add(known.regression);
    }
    known.lastRed = run;
  }

  #knownOf(key: number, check: Check): Known {
    const suite = this.#suiteOf(check);
    const known = suite.get(key) ?? { key, check, lastGreen: null, lastRed: null, regression: null };
    suite.set(key, known);
    return known;
  }

  #suiteOf({ suite }: Check): RecentMap<number, Known> {
    const known = this.#known.get(suite) ?? new RecentMap<number, Known>(40);
    this.#known.set(suite, known);
    return known;
  }

  /** Whether a check is red now. */
  get isRed(): boolean {
    return this.#red.size > 0;
  }

  /** Checks that are red now, the latest last. */
  get red(): RedCheck[] {
    return [...this.#red.values()].sort((one, other) => one.run.seq - other.run.seq);
  }

  get counts() {
    return {
      test_runs: this.#runs.count,
      regressed: this.#regressed.count,
      expectation_changes: this.#expectations.count,
    };
  }

  result(changes: ChangeLog): AnalysisTests {
    const after =
      this.#last !== null && changes.lastEdit !== null && this.#last.seq > changes.lastEdit ? this.#last : null;
    return {
      runs: this.#runs.items,
      first: markOf(this.#first),
      last: markOf(this.#last),
      before: changes.firstEdit === null ? null : markOf(this.#before),
      after: markOf(after),
      regressed: this.#regressed.items,
      expectation_changes: this.#expectations.items,
    };
  }
}

/** The commands of a call; a script of the agent's harness may run several. */
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

function bothEnds(output: string): string {
  return output.length <= heldMax ? output : `${output.slice(0, heldMax / 4)}\n${output.slice(-heldMax * 0.75)}`;
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

/** Writes into a run what its output says so far. */
function tell(
  { check, run, parts, company }: Open,
  step: Step,
  call: Call,
  { hasEnded, silent }: { hasEnded: boolean; silent: SilentLines },
): CheckVerdict {
  const isOk = hasEnded ? (call.outcome === "ok" ? hasFlags(call) : call.outcome === "failed" ? false : null) : null;
  const said = verdictOf(check, parts, { code: hasEnded ? codeOf(call) : null, isOk }, company, silent);
  // What has not ended is not green yet.
  const isSure = hasEnded || said.verdict === "fail";
  run.verdict = isSure ? said.verdict : "unknown";
  run.passed = said.passed;
  run.failed = said.failed;
  run.skipped = said.skipped;
  run.framework = said.framework?.slice(0, 40) ?? run.framework;
  run.exit = said.isExitSeen ? "seen" : "hidden";
  run.flagged ||= call.outcome === "failed";
  run.read_seq = said.quote?.seq ?? (hasEnded ? step.seq : run.seq);
  const quote = said.quote === null || !isSure ? "" : quoteOf(said.quote.raw, analysisTextMax, said.quote.isEscaped);
  run.quote = quote === "" ? null : quote;
  return said;
}

/** An exit code that tools print in words where they give none. */
function codeOf(call: Call): number | null {
  if (call.exitCode !== null) return call.exitCode;
  const said =
    /(?:^|\n)(?:<returncode>|(?:Exit code:?|Process exited with code|Command exited with code|Exit status) )(\d{1,3})(?:\n|$|<\/)/i.exec(
      call.output.length > 2_000 ? `${call.output.slice(0, 1_000)}\n${call.output.slice(-1_000)}` : call.output,
    );
  return said === null ? null : Number(said[1]);
}

/** True where the tool would have told of a failure, so that none is a success; null where nobody knows. */
function hasFlags({ output, isEscaped, tellsFailure }: Call): boolean | null {
  // A script of the agent's harness has run to its end whatever its commands said.
  if (/^Script (?:completed\n|running with cell ID )/.test(output) || isEscaped) return null;
  return tellsFailure ? true : null;
}

function markOf(run: AnalysisTestRun | null): AnalysisTests["first"] {
  if (run === null) return null;
  const { seq, command, verdict, passed, failed, skipped } = run;
  return { seq, command, verdict, passed, failed, skipped };
}
