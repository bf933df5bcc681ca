import { TestRuns } from "#lib/analysis/checks/test-runs.ts";
import { Causes } from "#lib/analysis/findings/causes.ts";
import { ChangeLog } from "#lib/analysis/findings/change-log.ts";
import { Errors } from "#lib/analysis/findings/errors.ts";
import { Files } from "#lib/analysis/findings/files.ts";
import { Ending } from "#lib/analysis/findings/outcome.ts";
import { type Activity, Phases } from "#lib/analysis/findings/phases.ts";
import { Repeats } from "#lib/analysis/findings/repeats.ts";
import { Tools } from "#lib/analysis/findings/tools.ts";
import { Waste } from "#lib/analysis/findings/waste.ts";
import { fieldsOf, numberField } from "#lib/contract/json-fields.ts";
import type { Analysis, AnalysisTotals } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax, analysisVersion } from "#lib/contract/logs/analysis-bounds.ts";
import type { AnalysisLink } from "#lib/contract/logs/analyze-logs.ts";
import { isEnd } from "#lib/contract/runs/run-end.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { readsOf } from "./effects.ts";
import type { RefusedHost } from "./rules/cause-rule.ts";
import { type SeenCall, seeCall } from "./seen-call.ts";
import { readStep, type Step, type StoredEntry } from "./step.ts";

/** Facts about a run that the analysis needs besides its entries. */
export type AnalysedRun = {
  id: number;
  status: RunStatus;
  /** Number of entries; more than were read if the analysis is partial. */
  totalLogs: number;
  /** Paths changed by the run's diff; null if there is no diff, `cut` if it was too large to store in full. */
  keptPaths: ReadonlySet<string> | "cut" | null;
  /** Connections of the run that the service refused. */
  denials: readonly RefusedHost[];
};

/**
 * Reads a run's entries in order, one at a time, and returns the findings so far at any time. Its memory is bounded, whatever
 * the number of entries; the same entries give the same result, whatever is asked in between.
 */
export class Analyzer {
  readonly #changes = new ChangeLog();
  readonly #tests = new TestRuns();
  readonly #repeats = new Repeats();
  readonly #errors = new Errors();
  readonly #waste = new Waste();
  readonly #tools = new Tools();
  readonly #files = new Files();
  readonly #phases = new Phases();
  readonly #ending = new Ending();
  readonly #causes = new Causes();
  readonly #totals: AnalysisTotals = {
    calls: 0,
    flagged: 0,
    failed: 0,
    refused: 0,
    cancelled: 0,
    unanswered: 0,
    user_messages: 0,
    error_entries: 0,
  };
  readonly #analysedBy = new Set<number>();
  #analysed = 0;
  #lastCall = 0;
  #cutOutputs = 0;
  #hasUsage = false;

  /** Number of entries read. */
  get analysed(): number {
    return this.#analysed;
  }

  /** Reads the next entry, of any shape. */
  add(entry: StoredEntry): void {
    this.#analysed += 1;
    const step = readStep(this.#analysed, entry);
    // A link to an analysis of this run is not part of its work.
    const analysis = ownAnalysisOf(step);
    if (analysis !== null) {
      this.#analysedBy.add(analysis);
      return;
    }
    const seen = step.call === null ? null : seeCall(step, step.call);
    this.#count(step);
    if (seen !== null) this.#addCall(seen);
    this.#errors.add(step, seen);
    this.#ending.add(step);
    this.#causes.add(step, seen);
    this.#phases.add(step, seen, this.#activityOf(step, seen));
  }

  #addCall(seen: SeenCall): void {
    const { step, call, effects, seq } = seen;
    this.#lastCall = seq;
    if (effects.changes !== "none") {
      const paths = effects.changes === "files" ? effects.writes : null;
      this.#changes.add({ seq, key: seen.key, paths, isSure: effects.isSureChange });
    }
    for (const finished of this.#tests.add(step, call, this.#changes)) {
      this.#repeats.addCheck(finished, this.#changes, seen);
    }
    this.#repeats.add(seen, this.#changes);
    this.#waste.add(seen, this.#changes);
    this.#tools.add(step, call);
    this.#files.add(seq, { writes: effects.writes, reads: readsOf(call, effects) });
  }

  #count({ type, call, usage }: Step): void {
    if (type === "USER_MESSAGE") this.#totals.user_messages += 1;
    if (type === "ERROR") this.#totals.error_entries += 1;
    if (usage !== null) this.#hasUsage = true;
    if (call === null) return;
    this.#totals.calls += 1;
    if (call.isFlagged) this.#totals.flagged += 1;
    if (call.isCut) this.#cutOutputs += 1;
    if (call.outcome === "failed") this.#totals.failed += 1;
    else if (call.outcome === "refused") this.#totals.refused += 1;
    else if (call.outcome === "cancelled") this.#totals.cancelled += 1;
    else if (call.outcome === "unfinished") this.#totals.unanswered += 1;
  }

  #activityOf(step: Step, seen: SeenCall | null): Activity {
    const isRed = this.#tests.isRed;
    if (step.type === "FINAL_ANSWER") return { kind: "wrap_up", isRed };
    if (seen === null) return { kind: null, isRed };
    const { view } = seen.call;
    if (view.kind === "question") return { kind: "wait_person", isRed };
    if (view.kind === "answer") return { kind: "wrap_up", isRed };
    if (this.#tests.lastCheckSeq === step.seq) return { kind: "verify", isRed };
    if (view.kind === "shell" && /\bgit (?:commit|push|tag)\b|\bgh pr (?:create|edit|ready)\b/.test(view.command)) {
      return { kind: "wrap_up", isRed };
    }
    return { kind: seen.effects.isSureChange && seen.effects.changes !== "none" ? "edit" : null, isRed };
  }

  /** Findings from the entries read so far. Asking changes nothing. */
  result(run: AnalysedRun): Analysis {
    const hasEnded = isEnd(run.status);
    const isPartial = !hasEnded || this.#analysed < run.totalLogs;
    // Entries not read yet may change the outcome.
    const status = this.#analysed < run.totalLogs && hasEnded ? "running" : run.status;
    const outcome = { ...this.#ending.result(status), status: run.status };
    const { phases, count } = this.#phases.result();
    const tests = this.#tests.result(this.#changes);
    return {
      agent_run_id: run.id,
      entries: run.totalLogs,
      analysed: this.#analysed,
      partial: isPartial,
      version: analysisVersion,
      totals: { ...this.#totals },
      counts: {
        phases: count,
        ...this.#tests.counts,
        errors: this.#errors.count,
        repeats: this.#repeats.count,
        waste: this.#waste.count,
        tools: this.#tools.count,
        files: this.#files.count,
      },
      analysed_by: [...this.#analysedBy].sort((one, other) => other - one).slice(0, analysisItemsMax),
      outcome,
      phases,
      causes: this.#causes.result({
        outcome,
        hasEnded: isEnd(status),
        red: this.#tests.red,
        changes: this.#changes,
        lastCheckSeq: this.#tests.lastCheckSeq,
        finalText: this.#ending.finalText,
        lastCall: this.#lastCall,
        denials: run.denials,
      }),
      tests: structuredClone(tests),
      errors: this.#errors.result(),
      repeats: this.#repeats.result(),
      waste: this.#waste.result(),
      slowest: this.#tools.slowest,
      tools: this.#tools.result(),
      files: this.#files.result(run.keptPaths === "cut" ? null : run.keptPaths),
      limits: this.#limits(run, tests),
    };
  }

  /** Limits of the log. */
  #limits(run: AnalysedRun, tests: Analysis["tests"]): string[] {
    const unknown = tests.runs.filter(({ verdict }) => verdict === "unknown").length;
    const limits = [
      this.#hasUsage ? null : "This agent reports no token counts, so phases show none.",
      this.#totals.calls === 0 || this.#tools.isAnyTimed ? null : "This agent's tools report no durations.",
      diffLimit(run),
      unknown === 0
        ? null
        : unknown === 1
          ? "1 check shows no verdict: its exit code is hidden and it prints none."
          : `${unknown} checks show no verdict: their exit codes are hidden and they print none.`,
      this.#cutOutputs === 0
        ? null
        : `${this.#cutOutputs === 1 ? "1 output was" : `${this.#cutOutputs} outputs were`} cut when recorded.`,
      this.#changes.firstEdit !== null || this.#files.count > 0 ? null : "No tool call mentioned a file.",
    ];
    return limits.flatMap((limit) => (limit === null ? [] : [limit.slice(0, analysisTextMax)]));
  }
}

function diffLimit({ keptPaths, status }: AnalysedRun): string | null {
  if (keptPaths === "cut") return "The run's diff was cut, so it is not known which files were kept.";
  if (keptPaths !== null) return null;
  if (!isEnd(status)) return "The run has no diff yet, so it is not known which files it keeps.";
  return "The run has no diff, so it is not known which files were kept.";
}

/** The run that analyzes this one, if the entry is the link to it. */
function ownAnalysisOf({ type, entry }: Step): number | null {
  if (type !== "AGENT_RUN_LINK") return null;
  const link = fieldsOf(entry.observation);
  const own: AnalysisLink["relation"] = "analysed_by";
  return link.relation === own && Number.isSafeInteger(link.agent_run_id) ? numberField(link, "agent_run_id") : null;
}
