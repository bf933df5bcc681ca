import { inlineCode } from "#lib/agents/steps/planned-step.ts";
import type { Proposal } from "#lib/contract/repositories/setup.ts";
import { cutText } from "#lib/cut-text.ts";
import { fenced } from "#lib/fenced.ts";
import { placeOf, type Trial } from "./trial.ts";

const noteCharactersMax = 2000;

/** Result of a turn. `changes` is the paragraph on the work tree, null if git cannot tell. */
export type SetupFindings = {
  commit: string | null;
  inputs: string[];
  trials: Trial[];
  changes: string | null;
  /** Findings that cannot be accepted, one sentence each. */
  leftOut: string[];
};

/** The answer: what worked, what did not with the end of its output, and the proposal as a block of JSON. */
export function reportSetup(findings: SetupFindings): string {
  const { trials, changes } = findings;
  const of = (outcome: Trial["outcome"]) => trials.filter((trial) => trial.outcome === outcome);
  const list = (title: string, chosen: Trial[]) =>
    chosen.length === 0 ? [] : [`**${title}**`, chosen.map(describe).join("\n")];
  const failed = of("failed");
  return [
    headline(findings),
    ...list("Worked", of("worked")),
    ...list("Failed", failed),
    ...failed.filter(({ tail }) => tail !== "").map(outputOf),
    ...list("Not tried", of("not_tried")),
    ...(trials.length === 0 || changes === null ? [] : [changes]),
    ...(findings.leftOut.length === 0
      ? []
      : [`**Left out of the proposal**`, findings.leftOut.map((note) => `- ${note}`).join("\n")]),
    "The proposal, for programs:",
    fenced(JSON.stringify(proposalOf(findings), null, 2), "json"),
  ].join("\n\n");
}

function headline({ commit, trials, leftOut }: SetupFindings): string {
  if (commit === null) return "The repository has no commit yet, so there is nothing to set up.";
  const count = (outcome: Trial["outcome"]) => trials.filter((trial) => trial.outcome === outcome).length;
  const [worked, failed, skipped] = [count("worked"), count("failed"), count("not_tried")];
  const tried = worked + failed;
  if (trials.length === 0) {
    return leftOut.length === 0
      ? "I found no setup commands: no file of the repository names one, and I know none of its build tools."
      : "I found no setup commands that I can propose. What I left out is listed below.";
  }
  const isWhole = skipped === 0 && leftOut.length === 0;
  const commands = isWhole ? "commands" : "commands that I tried";
  const words = [
    tried === 0
      ? "I tried none of the commands that I found"
      : worked < tried
        ? `${worked} of ${tried} ${commands} worked`
        : tried === 1
          ? `The ${isWhole ? "command" : "one command that I tried"} worked`
          : `All ${tried} ${commands} worked`,
    ...(skipped === 0 || tried === 0 ? [] : [`${skipped} ${skipped === 1 ? "was" : "were"} not tried`]),
    ...(leftOut.length === 0 ? [] : ["some things were left out, which are listed below"]),
  ];
  return `${words.join("; ")}. Nothing is saved until someone accepts them.`;
}

function describe({ found, durationMs, note }: Trial): string {
  const took = durationMs === null ? "" : ` (${(durationMs / 1000).toFixed(1)} s)`;
  const why = note === null ? "" : `: ${note}`;
  return `- ${found.kind}: ${inlineCode(found.command)}${took}${why}, named in ${found.evidence.map(placeOf).join(", ")}`;
}

function outputOf({ found, tail }: Trial): string {
  return `The end of the output of ${inlineCode(found.command)}:\n\n${fenced(tail, "text")}`;
}

function proposalOf({ commit, inputs, trials, leftOut }: SetupFindings): Proposal {
  return {
    commit,
    inputs,
    left_out: leftOut,
    commands: trials.map(({ found, outcome, exitCode, durationMs, note }) => ({
      kind: found.kind,
      command: found.command,
      outcome,
      exit_code: exitCode,
      duration_ms: durationMs,
      note: note == null ? null : cutText(note.replaceAll("\0", ""), noteCharactersMax),
      confidence: found.confidence,
      evidence: found.evidence,
    })),
  };
}
