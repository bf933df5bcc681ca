import { RecentMap } from "#lib/analysis/bounded.ts";
import type { RedCheck } from "#lib/analysis/checks/test-runs.ts";
import type { ChangeLog } from "#lib/analysis/findings/change-log.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import type { Step } from "#lib/analysis/step.ts";
import type { AnalysisCause, AnalysisEvidence, AnalysisOutcome } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import type { DenialRule } from "#lib/contract/repositories/network.ts";

/** A host with its port to which the service refused to connect the run. */
export type RefusedHost = { host: string; rule: DenialRule };

/** State of a run when causes are determined. */
export type RunEnd = {
  outcome: AnalysisOutcome;
  hasEnded: boolean;
  /** Checks failing at the end, the latest last. */
  red: readonly RedCheck[];
  changes: ChangeLog;
  /** The last call that checked anything. */
  lastCheckSeq: number | null;
  /** The agent's last words. */
  finalText: { seq: number; text: string } | null;
  /** The last call, 0 if there was none. */
  lastCall: number;
  denials: readonly RefusedHost[];
};

/** A rule for one cause: it reads every step, and returns its findings at the end, or in between. */
export type CauseRule = {
  add(step: Step, seen: SeenCall | null): void;
  cause(end: RunEnd): AnalysisCause | null;
};

/** A rule's evidence by subject, until a success with the same subject resolves it. */
export class Incidents {
  readonly #open = new RecentMap<string, AnalysisEvidence[]>(200);
  readonly #counts = new Map<string, number>();

  add(subject: string, evidence: AnalysisEvidence): void {
    const own = this.#open.get(subject) ?? [];
    if (own.length < analysisItemsMax && evidence.quote !== "") own.push(evidence);
    this.#open.set(subject, own);
    this.#counts.set(subject, (this.#counts.get(subject) ?? 0) + 1);
    if (this.#counts.size > 400)
      for (const key of this.#counts.keys()) if (this.#open.get(key) === undefined) this.#counts.delete(key);
  }

  resolve(subject: string): void {
    this.#open.delete(subject);
    this.#counts.delete(subject);
  }

  get subjects(): string[] {
    return [...this.#open.entries()].map(([subject]) => subject);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Evidence of everything unresolved, in order; null if there is none. */
  get open(): { subjects: string[]; evidence: AnalysisEvidence[]; count: number } | null {
    const entries = [...this.#open.entries()].filter(([, evidence]) => evidence.length > 0);
    if (entries.length === 0) return null;
    const evidence = entries.flatMap(([, own]) => own).sort((one, other) => one.seq - other.seq);
    return {
      subjects: entries.map(([subject]) => subject),
      evidence: evidence.slice(0, analysisItemsMax),
      count: entries.reduce((sum, [subject]) => sum + (this.#counts.get(subject) ?? 0), 0),
    };
  }
}

/** Certain if the run ended at that step, likely if it ended badly later, possible if it still succeeded. */
export function confidenceBy({ outcome, lastCall }: RunEnd, lastSeq: number): AnalysisCause["confidence"] {
  if (outcome.verdict === "answered" || outcome.verdict === null) return "possible";
  return lastSeq >= lastCall ? "certain" : "likely";
}

/** A cause from existing evidence. */
export function causeOf(
  cause: Pick<AnalysisCause, "rule" | "title" | "confidence" | "why"> & {
    evidence: readonly AnalysisEvidence[];
    count?: number;
  },
): AnalysisCause | null {
  const evidence = cause.evidence.filter(({ quote }) => quote !== "").slice(0, analysisItemsMax);
  const [first] = evidence;
  if (first === undefined) return null;
  const { rule, title, confidence, why } = cause;
  return {
    rule,
    title: title.slice(0, analysisTextMax),
    confidence,
    evidence,
    count: cause.count ?? evidence.length,
    first_seq: first.seq,
    why: why.slice(0, 1000),
  };
}

/** A few names in a sentence. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => name.slice(0, 60));
  return names.length > 3 ? `${shown.join(", ")} and ${names.length - 3} more` : shown.join(", ");
}
