import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { type CheckSuiteSettings, checkSuiteDefaults, roundsMax } from "#lib/contract/repositories/check-suite.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { PullStep } from "#lib/store/pulls/pulls.ts";
import { type CheckSummary, evaluateChecks } from "./check-summary.ts";
import { pullEntry } from "./entries.ts";
import { type FailedCheck, fixPrompt, signatureOf } from "./fix-prompt.ts";
import type { PullParts } from "./parts.ts";
import { notesOf, type WatchNotes } from "./watch-notes.ts";
import { endingStep, type PullWork } from "./work.ts";

/** Settled checks: the summary, the failed ones with their logs, and those that also fail on the base commit. */
export type Settled = {
  source: "host" | "local";
  commit: string;
  isPushed: boolean;
  summary: CheckSummary;
  failed: FailedCheck[];
  settings: CheckSuiteSettings;
  redOnBase: ReadonlySet<string>;
};

/** DETECT_PR_ERRORS, and then FIX_PR_ERRORS and a turn, or the end with a verdict. */
export function settledStep(
  parts: PullParts,
  work: PullWork,
  settled: Settled,
  more: Required<Pick<PullStep, "changes" | "checkNames">>,
): PullStep {
  const { pull, run } = work;
  const { isPushed, summary, failed, settings, redOnBase } = settled;
  const signatures = Object.fromEntries(failed.map((one) => [one.check.name, signatureOf(one)]));
  const { rounds, attempts, failing: before, headBranch } = pull;
  const isBanned = run.bannedAt !== null;
  const evaluated = evaluateChecks(summary, { settings, rounds, attempts, before, signatures, redOnBase, isBanned });
  const detected = detectedEntry(parts, work, settled);
  const changes = { ...more.changes, failing: signatures };
  const { checkNames } = more;
  if (evaluated.kind === "ends") {
    const checks = summary.counted.map(({ name, conclusion, url }) => ({ name, conclusion, url }));
    const reason = isPushed ? evaluated.reason : `Not pushed: ${evaluated.reason}`;
    const ended = { verdict: evaluated.verdict, reason, checks };
    return endingStep(parts, work, ended, { changes, entries: [detected], checkNames });
  }
  const round = rounds + 1;
  const fixed = evaluated.checks.map(({ name }) => name);
  const asked = { round, of: roundsMax(settings), branch: headBranch, settings };
  const prompt = fixPrompt(
    failed.filter(({ check }) => fixed.includes(check.name)),
    asked,
  );
  const entry = pullEntry("FIX_PR_ERRORS", parts.now(), { round, of: asked.of, failing: fixed, turn: null });
  return {
    changes: { ...changes, rounds: round, attempts: evaluated.attempts },
    entries: [detected, entry],
    checkNames,
    next: { kind: "turn", prompt },
  };
}

/** DETECT_PR_ERRORS: every check that counts, as it ended. */
export function detectedEntry(
  parts: Pick<PullParts, "now">,
  { pull }: PullWork,
  { source, commit, summary, failed, redOnBase }: Settled,
): NewEntry {
  const failing = summary.failing.map(({ name }) => name);
  const checks = summary.counted.map((check) => shownCheck(check, failed));
  const { ignored } = summary;
  const red = failing.filter((name) => redOnBase.has(name));
  const about = { round: pull.rounds, commit, source, checks, failing, ignored, red_on_base: red };
  return pullEntry("DETECT_PR_ERRORS", parts.now(), about);
}

/** Notes without those about a commit's checks, which do not apply to the next commit. */
export function settledNotes(pull: PullRow): WatchNotes {
  const { base = null, pushedMs } = notesOf(pull);
  return { base, ...(pushedMs === undefined ? {} : { pushedMs }) };
}

/** The repository's check settings. */
export async function findChecks(
  { store }: PullParts,
  { organizationId, repositoryId }: PullRow,
): Promise<CheckSuiteSettings> {
  return (await store.repositories.findChecks({ organizationId, userId: null }, repositoryId)) ?? checkSuiteDefaults;
}

function shownCheck(check: HostCheck, failed: readonly FailedCheck[]) {
  const { name, status, conclusion, url, startedAt, completedAt } = check;
  const known = failed.find((one) => one.check.id === check.id);
  const ms = startedAt === null || completedAt === null ? null : completedAt.getTime() - startedAt.getTime();
  return {
    ...{ name, status, conclusion, url, duration_ms: ms },
    annotations: known?.check.annotations ?? [],
    excerpt: known === undefined || known.excerpt === "" ? null : known.excerpt,
  };
}
