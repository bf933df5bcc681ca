import { checksOf } from "#lib/analysis/checks/check-command.ts";
import { splitCommand } from "#lib/analysis/checks/command-line.ts";
import type { Dependence } from "#lib/analysis/findings/change-log.ts";
import { type Effects, effectsOf } from "./effects.ts";
import { hashOf, hashOfFields, outputHashOf } from "./hash.ts";
import type { Call, Step } from "./step.ts";

/** A call with what several rules need of it. */
export type SeenCall = {
  seq: number;
  step: Step;
  call: Call;
  /** Equal for the same call: its tool and its input, without descriptions and time limits. */
  key: number;
  /** Equal for outputs that differ only in times and ids. */
  outputHash: number;
  effects: Effects;
  dependence: Dependence;
  /** Its subject, by which a success after a failure is recognized. */
  readonly subject: number;
};

/** Fields that describe a call without changing it. */
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

/** Computes what the rules need of a call. */
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

/**
 * Subject of a call, so that a success after a failure can be distinguished from another call's: its checks, program or file.
 */
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
