import { pullEntry } from "./entries.ts";
import { findKnownKeys } from "./known-keys.ts";
import { noteChanges } from "./note-changes.ts";
import { isTestedHere, whileTested } from "./test-step.ts";
import { notesOf } from "./watch-notes.ts";
import { refusalWords, weigh } from "./weigh-commits.ts";
import { atOnce, endingStep, type TakeStep } from "./work.ts";

/** COMMIT_EVALUATION: the run's commits, and whether they may be pushed. */
export const weighCommits: TakeStep = async (parts, work, signal) => {
  const { pull, run } = work;
  const notes = notesOf(pull);
  const { repositoryId: repoId, runId, baseBranch } = pull;
  const isInBase = await noteChanges(parts, { ...work, run: { ...run, pull }, mayStore: work.isHeld }, signal);
  const done = await parts.readWork({ repoId, runId, baseBranch }, signal);
  const entry = (observation: Record<string, unknown>) => pullEntry("COMMIT_EVALUATION", parts.now(), observation);
  if (done === null) {
    const reason = "The run has made no commits.";
    const entries = [entry({ verdict: "empty", commit: null, findings: [] })];
    return endingStep(parts, work, { verdict: "refused", reason }, { entries });
  }
  const { commit, base, behind, files, insertions, deletions } = done;
  if (commit === base && pull.number === null) {
    const reason = "The base branch already has the run's commits.";
    const entries = [entry({ verdict: "empty", commit, base, findings: [] })];
    return endingStep(parts, work, { verdict: "refused", reason }, { changes: { state: "failed" }, entries });
  }
  const figures = { commit, base, behind, files, insertions, deletions };
  if (commit === pull.headCommit || commit === notes.tested?.commit) {
    if (pull.fixTurn !== null) {
      const entries = [entry({ verdict: "empty", ...figures, findings: [] })];
      const reason = "The agent changed nothing in the last round.";
      return endingStep(parts, work, { verdict: "no_progress", reason }, { entries });
    }
    // The turn only answered a question, so nothing is new. Requested or unfinished work continues.
    if (pull.verdict !== null && notes.asked !== true) return { changes: {}, next: { kind: "end" } };
  }
  const known = await findKnownKeys(parts, work);
  const weighed = weigh({ ...done, isInBase }, (line) => parts.holdsKey(line), known);
  const { verdict } = weighed;
  const findings = weighed.findings.map((one) => ({ ...one, path: parts.mask(one.path) }));
  const entries = [entry({ verdict, ...figures, findings })];
  if (verdict === "refused") {
    const message = refusalWords(findings);
    const error = { code: "unfit", message, hint: "Let the agent fix this, then request the pull request again." };
    return endingStep(parts, work, { verdict, reason: `Not pushed: ${message}` }, { changes: { error }, entries });
  }
  const isTested = commit === notes.tested?.commit;
  const changes = { verdict: null, reason: null, watch: { ...notes, base, toTest: commit } };
  if (isTested || !(await isTestedHere(parts, work, "before_push"))) {
    return { changes: { ...changes, stage: "pushing" }, entries, next: atOnce };
  }
  return { changes: { ...changes, stage: "testing" }, entries, next: whileTested };
};
