import type { Dependence } from "./change-log.ts";
import { checksOf } from "./check-command.ts";
import { splitCommand } from "./command-line.ts";
import { type Effects, effectsOf } from "./effects.ts";
import { hashOf, hashOfFields, outputHashOf } from "./hash.ts";
import type { Call, Step } from "./step.ts";

/** A call with what several rules ask of it. */
export type SeenCall = {
  seq: number;
  step: Step;
  call: Call;
  /** The same for the same call: its tool and what it was told, without words about it and time limits. */
  key: number;
  /** The same for outputs that differ in times and ids alone. */
  outputHash: number;
  effects: Effects;
  dependence: Dependence;
  /** What it is about; a success after a failure is told by it. */
  readonly subject: number;
};

/** Fields that say something about a call and change nothing of it. */
const aside = new Set([
  "description",
  "explanation",
  "timeout",
  "timeout_ms",
  "yield_time_ms",
  "max_output_tokens",
  "justification",
  "security_risk",
  "toolSummary",
  "toolAction",
]);

/** Reads what the rules ask of a call. */
export function seeCall(step: Step, call: Call): SeenCall {
  const effects = effectsOf(call);
  const key = keyOf(call);
  const { view } = call;
  const isReader = effects.changes === "none" && effects.reads.length > 0;
  const where = view.kind === "search" ? view.where : view.kind === "list" ? view.path : null;
  let subject: number | null = null;
  return {
    seq: step.seq,
    step,
    get subject() {
      subject ??= subjectOf(call);
      return subject;
    },
    call,
    key,
    outputHash: outputHashOf(call.output),
    effects,
    dependence: {
      key,
      paths: isReader ? effects.reads : where === null || where === "." ? null : [where],
      words: view.kind === "shell" ? view.command : "",
    },
  };
}

/** What a call is about, so that a success after a failure can be told from another call's: its checks, program or file. */
function subjectOf(call: Call): number {
  const { view } = call;
  if (view.kind === "shell") {
    const checks = checksOf(view.command);
    if (checks.length > 0) return hashOf(`check ${checks.map(({ suite }) => suite).join()}`);
    const words = splitCommand(view.command).findLast(({ words: own }) => own[0] !== "cd")?.words ?? [];
    return hashOf(`shell ${words.slice(0, 2).join(" ")}`);
  }
  if (view.kind === "edit") return hashOf(`edit ${view.changes[0]?.path ?? call.tool}`);
  if (view.kind === "read" || view.kind === "list") return hashOf(`${view.kind} ${view.path}`);
  return hashOf(`tool ${call.tool}`);
}

/** Whether a call failed, or is a shell line whose exit code may hide that a part of it did. */
export function mayHaveFailed({ outcome, view, exitCode, tellsFailure }: Call): boolean {
  if (outcome === "failed") return true;
  if (outcome !== "ok" || view.kind !== "shell") return false;
  return (exitCode === null && !tellsFailure) || /[|;\n]/.test(view.command);
}

function keyOf({ tool, input, view }: Call): number {
  return hashOfFields(view.kind === "shell" ? "shell" : tool, input, aside);
}
