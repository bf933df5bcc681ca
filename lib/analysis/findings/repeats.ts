import { RecentMap, Seqs } from "#lib/analysis/bounded.ts";
import { labelOf } from "#lib/analysis/call-label.ts";
import { cut } from "#lib/analysis/checks/output-lines.ts";
import type { FinishedCheck } from "#lib/analysis/checks/test-runs.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import { type Call, firstLine, type Step } from "#lib/analysis/step.ts";
import type { AnalysisRepeat } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import type { ChangeLog } from "./change-log.ts";

/** Maximum number of other calls between two of a loop. */
const gapMax = 8;
const loopMin = 3;
const pollingMin = 3;

type Streak = { lastSeq: number; lastPlace: number; lastOutput: number; seqs: number[]; count: number; bytes: number };
type Found = { kind: AnalysisRepeat["kind"]; tool: string; call: string; seqs: Seqs; wasted: number };
type CheckPast = { seq: number; verdict: string; quote: string };

/** Repeated calls: in a loop, while waiting, after an edit, or with another verdict although nothing changed. */
export class Repeats {
  readonly #streaks = new RecentMap<number, Streak>(20_000);
  readonly #polls = new RecentMap<string, Streak>(200);
  readonly #checks = new RecentMap<number, CheckPast>(2_000);
  readonly #found = new RecentMap<string, Found>(2_000);
  #place = 0;

  add(seen: SeenCall, changes: ChangeLog): void {
    this.#place += 1;
    if (isPolling(seen.call)) this.#poll(seen);
    else this.#repeat(seen, changes);
  }

  /** Reads a check that has ended. */
  addCheck({ key, run, start }: FinishedCheck, changes: ChangeLog, { key: callKey, call }: SeenCall): void {
    const { tool } = call;
    const past = this.#checks.get(key);
    this.#checks.set(key, { seq: run.seq, verdict: run.verdict, quote: start.quote });
    if (past === undefined) return;
    const label = { tool, call: past.quote };
    const isVerdict = (verdict: string) => verdict === "pass" || verdict === "fail";
    if (changes.hasChangedSince(past.seq, { key: callKey, paths: null, words: run.command })) {
      this.#note("rerun_after_edit", key, label, [past.seq, run.seq], 0);
    } else if (
      isVerdict(past.verdict) &&
      isVerdict(run.verdict) &&
      past.verdict !== run.verdict &&
      !changes.hasAnySince(past.seq, callKey)
    ) {
      this.#note("flaky", key, label, [past.seq, run.seq], 0);
    }
  }

  #poll({ seq, step, call }: SeenCall): void {
    const group = `${call.tool} ${call.continues ?? (call.view.kind === "shell" ? call.view.command : "")}`;
    const streak = this.#polls.get(group);
    const isNext = streak !== undefined && this.#place - streak.lastPlace <= gapMax;
    const own: Streak = isNext
      ? { ...streak, lastPlace: this.#place, count: streak.count + 1, seqs: [...streak.seqs.slice(-99), seq] }
      : { lastSeq: seq, lastPlace: this.#place, lastOutput: 0, seqs: [seq], count: 1, bytes: 0 };
    this.#polls.set(group, own);
    if (own.count < pollingMin) return;
    this.#note("polling", group, named(step, call), own.count === pollingMin ? own.seqs : [seq], 0);
  }

  #repeat(seen: SeenCall, changes: ChangeLog): void {
    const { seq, step, key, outputHash, call, dependence } = seen;
    const streak = this.#streaks.get(key);
    const isNext =
      streak !== undefined &&
      streak.lastOutput === outputHash &&
      this.#place - streak.lastPlace <= gapMax + 1 &&
      canLoop(call) &&
      !changes.hasChangedSince(streak.lastSeq, dependence);
    const own: Streak = isNext
      ? {
          ...streak,
          lastSeq: seq,
          lastPlace: this.#place,
          count: streak.count + 1,
          bytes: streak.bytes + call.bytes,
          seqs: streak.count < loopMin ? [...streak.seqs, seq] : streak.seqs,
        }
      : { lastSeq: seq, lastPlace: this.#place, lastOutput: outputHash, seqs: [seq], count: 1, bytes: 0 };
    this.#streaks.set(key, own);
    if (own.count < loopMin) return;
    const isFirst = own.count === loopMin;
    this.#note("loop", key, named(step, call), isFirst ? own.seqs : [seq], isFirst ? own.bytes : call.bytes);
  }

  #note(
    kind: Found["kind"],
    key: number | string,
    { tool, call }: { tool: string; call: string },
    seqs: readonly number[],
    wasted: number,
  ): void {
    const id = `${kind} ${key}`;
    const found = this.#found.get(id) ?? {
      kind,
      tool,
      call: firstLine(call, analysisTextMax),
      seqs: new Seqs(),
      wasted: 0,
    };
    for (const seq of seqs) if (found.seqs.items.at(-1) !== seq && !found.seqs.items.includes(seq)) found.seqs.add(seq);
    found.wasted += wasted;
    this.#found.set(id, found);
  }

  get count(): number {
    return this.#found.size;
  }

  /** Most wasted bytes first, then by kind, then in order of occurrence. */
  result(): AnalysisRepeat[] {
    return [...this.#found.values()]
      .map(({ kind, tool, call, seqs, wasted }) => ({
        kind,
        tool,
        call,
        count: seqs.count,
        seqs: [...seqs.items],
        wasted_bytes: wasted,
      }))
      .sort(
        (one, other) =>
          other.wasted_bytes - one.wasted_bytes ||
          order.indexOf(one.kind) - order.indexOf(other.kind) ||
          (one.seqs[0] ?? 0) - (other.seqs[0] ?? 0),
      )
      .slice(0, analysisItemsMax);
  }
}

const order: readonly AnalysisRepeat["kind"][] = ["loop", "flaky", "polling", "rerun_after_edit"];

/** Waits and questions are repeated because they wait; a person's or another agent's answer may be the same. */
function canLoop({ view, outcome }: Call): boolean {
  if (outcome === "unfinished" || outcome === "cancelled" || outcome === "refused") return false;
  return view.kind !== "agent" && view.kind !== "question" && view.kind !== "think" && view.kind !== "answer";
}

/** A call that asks whether something is done. */
export function isPolling(call: Call): boolean {
  const { tool, view, input } = call;
  if (
    /wait|poll|BashOutput|TaskOutput|TaskGet|bash_output|read_terminal|job_output|get_output|check_status/i.test(tool)
  )
    return true;
  if (call.continues !== null) return typeof input.chars !== "string" || input.chars === "";
  if (view.kind !== "shell") return false;
  return /(?:^|[;&|\n])[^\S\n]*sleep \d|\bgh (?:run (?:watch|view|list)|pr (?:checks|status|view))|\bkubectl (?:get|rollout status|wait)|\bdocker(?:-compose| compose)? (?:ps|logs)|^(?:ps|pgrep|jobs|tail -f)\b/.test(
    view.command,
  );
}

const named = (step: Step, call: Call) => ({ tool: cut(call.tool, analysisTextMax), call: labelOf(step, call) });
