import { BothEnds, RecentMap } from "#lib/analysis/bounded.ts";
import { isTestFile } from "#lib/analysis/effects.ts";
import type { ChangeLog } from "#lib/analysis/findings/change-log.ts";
import type { Call, Step } from "#lib/analysis/step.ts";
import type {
  AnalysisEvidence,
  AnalysisRegression,
  AnalysisTestRun,
  AnalysisTests,
  ExpectationChange,
} from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import type { Check } from "./check.ts";
import { SilentLines } from "./check-lines.ts";
import { addOutput, type OpenCheck, openChecks, updateTestRun } from "./check-run.ts";
import { covers } from "./check-targets.ts";
import { cut } from "./output-lines.ts";

/** A check that has ended. */
export type FinishedCheck = {
  key: number;
  check: Check;
  run: AnalysisTestRun;
  failedTests: string[];
  /** Words that prove the run: those with its verdict, or else those that start it. */
  evidence: AnalysisEvidence;
  /** The words that start it. */
  start: AnalysisEvidence;
};

/** A failing check that no later passing one has replaced. */
export type RedCheck = FinishedCheck & {
  /** The first failing run after the last passing one. */
  first: FinishedCheck;
  greenSeq: number | null;
};

type Known = {
  key: number;
  check: Check;
  lastGreen: AnalysisTestRun | null;
  lastRed: AnalysisTestRun | null;
  regression: AnalysisRegression | null;
};

/** Tracks every run of tests, type checks, linters and builds to its end. */
export class TestRuns {
  readonly #runs = new BothEnds<AnalysisTestRun>(analysisItemsMax);
  readonly #open = new RecentMap<string, OpenCheck[]>(200);
  /** State of a suite's checks, by key. */
  readonly #known = new RecentMap<string, RecentMap<number, Known>>(400);
  readonly #red = new RecentMap<number, RedCheck>(200);
  readonly #regressed = new BothEnds<AnalysisRegression>(analysisItemsMax);
  readonly #expectations = new BothEnds<ExpectationChange>(analysisItemsMax);
  readonly #silent = new SilentLines();
  #first: AnalysisTestRun | null = null;
  #last: AnalysisTestRun | null = null;
  #before: AnalysisTestRun | null = null;
  /** The last call that checked anything, whatever its result. */
  lastCheckSeq: number | null = null;

  /** Reads a call; returns the checks that it ends. */
  add(step: Step, call: Call, changes: ChangeLog): FinishedCheck[] {
    if (call.continues !== null) return this.#continueChecks(call.continues, step, call, changes);
    if (call.view.kind !== "shell") return [];
    const opened = openChecks(step, call);
    if (opened.length === 0) return [];
    this.lastCheckSeq = step.seq;
    for (const { run } of opened) this.#runs.add(run);
    if (call.session !== null || call.outcome === "unfinished" || call.outcome === "cancelled") {
      for (const open of opened) updateTestRun(open, step, call, { hasEnded: false, silent: this.#silent });
      if (call.session !== null) this.#open.set(call.session, opened);
      return [];
    }
    return opened.map((open) => this.#finish(open, step, call, changes));
  }

  #continueChecks(session: string, step: Step, call: Call, changes: ChangeLog): FinishedCheck[] {
    const opened = this.#open.get(session);
    if (opened === undefined) return [];
    for (const open of opened) addOutput(open, step, call);
    if (call.session !== null) this.#open.set(call.session, opened);
    if (call.session !== null || (call.outcome !== "ok" && call.outcome !== "failed")) return [];
    if (/still running|<status>running<|"?status"?: ?"?running/i.test(call.output.slice(0, 2_000))) return [];
    this.#open.delete(session);
    return opened.map((open) => this.#finish(open, step, call, changes));
  }

  #finish(open: OpenCheck, step: Step, call: Call, changes: ChangeLog): FinishedCheck {
    const result = updateTestRun(open, step, call, { hasEnded: true, silent: this.#silent });
    const { run, check, key } = open;
    const evidence = run.quote === null ? open.start : { seq: run.read_seq, quote: run.quote };
    const finished = { key, check, run, failedTests: result.failedTests, evidence, start: open.start };
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

  #turnGreen({ check, key, run }: OpenCheck, changes: ChangeLog): void {
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

  /** Whether a check is failing now. */
  get isRed(): boolean {
    return this.#red.size > 0;
  }

  /** Checks that are failing now, the latest last. */
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

function markOf(run: AnalysisTestRun | null): AnalysisTests["first"] {
  if (run === null) return null;
  const { seq, command, verdict, passed, failed, skipped } = run;
  return { seq, command, verdict, passed, failed, skipped };
}
