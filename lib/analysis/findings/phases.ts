import type { SeenCall } from "#lib/analysis/seen-call.ts";
import type { Step } from "#lib/analysis/step.ts";
import type { AnalysisPhase } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax } from "#lib/contract/logs/analysis-bounds.ts";

/** A pause this long without any record is idle, as in the timeline, in ms. */
const idleMsMin = 120_000;
/** This many reads in a row are a separate phase. */
const orientMin = 4;
const keptMax = 2 * analysisItemsMax;

type Kind = AnalysisPhase["kind"];

/** Phase of a step; null: that of the surrounding steps. */
export type Activity = { kind: Kind | null; isRed: boolean };

/** Cuts a run into phases of one kind. */
export class Phases {
  readonly #phases: AnalysisPhase[] = [];
  /** Steps that belong to the previous phase or, if there are enough of them, form a separate one. */
  #pending: AnalysisPhase | null = null;
  #lastAt: number | null = null;
  #hasAnswered = false;
  #lastSeq = 0;
  count = 0;

  add(step: Step, seen: SeenCall | null, { kind, isRed }: Activity): void {
    const gap = this.#gapBefore(step, seen);
    const isWaiting = this.#hasAnswered && step.type === "USER_MESSAGE";
    if (this.#lastSeq > 0 && (gap >= idleMsMin || isWaiting)) {
      this.#settle();
      this.#push({ ...emptyPhase(isWaiting ? "wait_person" : "idle", this.#lastSeq), to: step.seq, ms: gap });
    }
    const ms = this.#msOf(step) - (gap >= idleMsMin || isWaiting ? gap : 0);
    this.#place(step, seen, isRed ? this.#whileRed(kind) : kind, Math.max(0, ms));
    if (step.at !== null) this.#lastAt = Math.max(this.#lastAt ?? step.at, step.at);
    this.#lastSeq = step.seq;
    this.#hasAnswered = step.type === "FINAL_ANSWER" || (this.#hasAnswered && step.isNotice);
  }

  /** An edit after a failed check is a repair, and so are the checks that follow while they fail. */
  #whileRed(kind: Kind | null): Kind | null {
    if (kind === "edit") return "repair";
    return kind === "verify" && this.#phases.at(-1)?.kind === "repair" ? "repair" : kind;
  }

  #msOf(step: Step): number {
    return step.at === null || this.#lastAt === null ? 0 : Math.max(0, step.at - this.#lastAt);
  }

  /** Time before a step without any record, excluding its tool's own duration. */
  #gapBefore(step: Step, seen: SeenCall | null): number {
    return Math.max(0, this.#msOf(step) - (seen?.call.durationMs ?? 0));
  }

  #place(step: Step, seen: SeenCall | null, kind: Kind | null, ms: number): void {
    const last = this.#phases.at(-1);
    if (kind === null) {
      this.#pending ??= emptyPhase("orient", step.seq);
      count(this.#pending, step, seen, ms);
      return;
    }
    const isRepairing = last?.kind === "repair" && kind === "repair";
    if (
      this.#pending !== null &&
      (isRepairing || this.#pending.calls < orientMin) &&
      last !== undefined &&
      isWork(last.kind)
    ) {
      join(last, this.#pending);
      this.#pending = null;
    } else this.#settle();
    const current = this.#phases.at(-1);
    if (current?.kind === kind) count(current, step, seen, ms);
    else {
      const phase = emptyPhase(kind, step.seq);
      count(phase, step, seen, ms);
      this.#push(phase);
    }
  }

  #settle(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return;
    const last = this.#phases.at(-1);
    if (last !== undefined && (last.kind === "orient" || (pending.calls < orientMin && isWork(last.kind))))
      join(last, pending);
    else this.#push(pending);
  }

  #push(phase: AnalysisPhase): void {
    this.#phases.push(phase);
    this.count += 1;
    if (this.#phases.length > keptMax) joinShortest(this.#phases);
  }

  result(): { phases: AnalysisPhase[]; count: number } {
    const phases = this.#phases.map((phase) => ({ ...phase }));
    let all = this.count;
    if (this.#pending !== null) {
      const pending = { ...this.#pending };
      const last = phases.at(-1);
      if (last !== undefined && (last.kind === "orient" || (pending.calls < orientMin && isWork(last.kind))))
        join(last, pending);
      else {
        phases.push(pending);
        all += 1;
      }
    }
    while (phases.length > analysisItemsMax) joinShortest(phases);
    return { phases, count: all };
  }
}

const isWork = (kind: Kind) => kind !== "wait_person" && kind !== "idle";

const emptyPhase = (kind: Kind, seq: number): AnalysisPhase => ({
  kind,
  from: seq,
  to: seq,
  ms: 0,
  calls: 0,
  failed: 0,
  errors: 0,
  tokens: null,
  cost_usd: null,
});

function count(phase: AnalysisPhase, step: Step, seen: SeenCall | null, ms: number): void {
  phase.to = step.seq;
  phase.ms += ms;
  if (step.call !== null) phase.calls += 1;
  const hasFailed = seen?.call.outcome === "failed";
  if (hasFailed) phase.failed += 1;
  if (hasFailed || step.type === "ERROR") phase.errors += 1;
  if (step.usage === null) return;
  phase.tokens = (phase.tokens ?? 0) + step.usage.tokens;
  if (step.usage.costUsd !== null) phase.cost_usd = (phase.cost_usd ?? 0) + step.usage.costUsd;
}

function join(into: AnalysisPhase, other: AnalysisPhase): void {
  into.to = Math.max(into.to, other.to);
  into.from = Math.min(into.from, other.from);
  into.ms += other.ms;
  into.calls += other.calls;
  into.failed += other.failed;
  into.errors += other.errors;
  if (other.tokens !== null) into.tokens = (into.tokens ?? 0) + other.tokens;
  if (other.cost_usd !== null) into.cost_usd = (into.cost_usd ?? 0) + other.cost_usd;
}

/** Joins the two neighboring phases that together took the least time; the longer one determines the kind. */
function joinShortest(phases: AnalysisPhase[]): void {
  let best = 0;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < phases.length; at += 1) {
    const ms = (phases[at]?.ms ?? 0) + (phases[at + 1]?.ms ?? 0);
    if (ms < bestMs) {
      best = at;
      bestMs = ms;
    }
  }
  const one = phases[best];
  const other = phases[best + 1];
  if (one === undefined || other === undefined) return;
  if (other.ms > one.ms) one.kind = other.kind;
  join(one, other);
  phases.splice(best + 1, 1);
}
