import { formatCountOf } from "#components/shell/format-number.ts";
import type { PullRequest, PullStage, PullVerdict } from "#lib/contract/runs/pull-request.ts";

/** The tone of a pull request: one of the colors of a run's status. */
export type PullTone = "outline" | "running" | "completed" | "failed" | "waiting";

/** Words for a verdict, as in "Pull request: …". */
const verdictWords: Record<PullVerdict, { label: string; tone: PullTone }> = {
  green: { label: "all checks passed", tone: "completed" },
  red: { label: "checks failed", tone: "failed" },
  gave_up: { label: "checks still fail, no rounds left", tone: "failed" },
  no_progress: { label: "no progress, checks still fail", tone: "failed" },
  no_checks: { label: "no checks", tone: "outline" },
  diverged: { label: "branch changed by someone else", tone: "waiting" },
  refused: { label: "not pushed: the commits failed Errand's checks", tone: "failed" },
  closed: { label: "closed", tone: "outline" },
  merged: { label: "merged", tone: "completed" },
  banned: { label: "run was banned", tone: "outline" },
};

const stageWords: Record<PullStage, string> = {
  weighing: "Checking the commits",
  testing: "Running the repository's own checks",
  pushing: "Pushing the branch",
  opening: "Opening the pull request",
  checking: "Waiting for checks",
  fixing: "Fixing failed checks",
};

/** The work in progress on a pull request, such as `Waiting for checks, round 1 of 3`; null if there is none. */
export function progressWords({ stage, round, rounds_max }: PullRequest): string | null {
  if (stage === null) return null;
  return round === 0 ? stageWords[stage] : `${stageWords[stage]}, round ${round} of ${rounds_max}`;
}

/** Summary of its checks, such as `2 of 5 checks failed`; null before any was seen. */
function checkWords({ checks }: Pick<PullRequest, "checks">): string | null {
  if (checks === null) return null;
  const { passed, failed, pending } = checks;
  const all = passed + failed + pending;
  if (all === 0) return null;
  if (failed > 0) return `${failed} of ${formatCountOf(all, "check")} failed`;
  if (pending > 0) return `${passed} of ${formatCountOf(all, "check")} passed`;
  return all === 1 ? "check passed" : `all ${all} checks passed`;
}

/** A pull request in words: its name, then its facts by importance. The first letter is a capital. */
export function pullWords(pull: PullRequest): { name: string; facts: string[]; tone: PullTone } {
  const { number, state } = pull;
  const name = number !== null ? `#${number}` : state === "pushed" ? "Branch pushed" : "Pull request";
  const [first, ...others] = factsOf(pull).filter((fact) => fact !== null);
  const facts = first === undefined ? [] : [first.charAt(0).toUpperCase() + first.slice(1), ...others];
  return { name, facts, tone: toneOf(pull) };
}

function factsOf(pull: PullRequest): (string | null)[] {
  const { number, state, verdict, draft, error } = pull;
  const progress = progressWords(pull);
  if (progress !== null) return [progress, checkWords(pull)];
  const failure = verdict === "refused" ? verdictWords.refused.label : null;
  if (number === null && state !== "pushed") return ["not opened", failure];
  if (state === "closed" || state === "merged") return [state];
  const found = checkWords(pull);
  const isSaid = verdict === null || (found !== null && (verdict === "green" || verdict === "red"));
  const opened = number === null ? null : draft ? "draft" : "open";
  const isUnchecked = number === null && verdict === "no_checks";
  return [opened, found, isSaid || isUnchecked ? null : verdictWords[verdict].label, error && "last push failed"];
}

function toneOf({ state, stage, verdict, checks, error }: PullRequest): PullTone {
  if (state === "merged") return "completed";
  if (state === "closed") return "outline";
  if (checks !== null && checks.failed > 0) return "failed";
  if (stage !== null) return "running";
  if (error !== null || state === "failed") return "failed";
  return verdict === null || state === "pushed" ? "outline" : verdictWords[verdict].tone;
}
