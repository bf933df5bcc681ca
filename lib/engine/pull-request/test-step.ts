import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";
import { summarizeChecks } from "./check-summary.ts";
import type { PullParts } from "./parts.ts";
import { detectedEntry, findChecks, settledStep } from "./settled-step.ts";
import { notesOf, type WatchNotes } from "./watch-notes.ts";
import { atOnce, endingStep, failingStep, type PullWork, type TakeStep } from "./work.ts";

/** While an engine runs the commands, this step only waits; that engine makes the next step due. */
export const whileTested = { kind: "again", waitMs: 60_000 } as const;

/** Whether the repository's own commands are to check the work: before its push, or after a push to a remote without checks. */
export async function isTestedHere(
  { store }: Pick<PullParts, "store">,
  { pull: { organizationId, repositoryId } }: Pick<PullWork, "pull">,
  when: "before_push" | "after_push",
): Promise<boolean> {
  const access = { organizationId, userId: null };
  const { local_checks } = (await store.pulls.findSettings(access, repositoryId)) ?? pullSettingsDefaults;
  if (local_checks === "never" || (when === "before_push" && local_checks !== "before_push")) return false;
  const setup = await store.setups.findAccepted(repositoryId);
  return setup !== null && setup.commands.test.length + setup.commands.lint.length > 0;
}

/**
 * Judges the results of the repository's own commands: work that passed is pushed, or green if it already was; the agent fixes
 * what failed.
 */
export const judgeTests: TakeStep = async (parts, work) => {
  const { pull } = work;
  const { tested, toTest, base = null, asked, pushedMs } = notesOf(pull);
  if (tested === undefined || tested.commit !== toTest) return { changes: {}, next: whileTested };
  const { commit, problem } = tested;
  const isPushed = commit === pull.headCommit;
  if (problem !== null) {
    const message = `The repository's checks could not be run: ${problem}`;
    if (isPushed) return endingStep(parts, work, { verdict: "no_checks", reason: message });
    const hint =
      "Correct the repository's test and lint commands, or set “Run the test and lint commands” to Never in its pull request settings.";
    return failingStep(parts, work, { code: "checks_not_run", message, hint });
  }
  const settings = await findChecks(parts, pull);
  const checks = tested.checks.map(hostCheckOf);
  const over = { pushedMs: 0, awaitedMs: 0, changedMs: 0, nowMs: parts.now().getTime() };
  const summary = summarizeChecks({ checks, settings, ...over });
  const failed = summary.failing.map((check) => {
    const excerpt = tested.checks.find(({ name }) => name === check.name)?.excerpt ?? "";
    return { check, excerpt };
  });
  const settled = {
    source: "local",
    commit,
    isPushed,
    summary,
    failed,
    settings,
    redOnBase: new Set<string>(),
  } as const;
  const kept = { commit, problem, checks: tested.checks.map((check) => ({ ...check, excerpt: "" })) };
  const watch: WatchNotes = {
    ...{ base, tested: kept },
    ...(asked === undefined ? {} : { asked }),
    ...(pushedMs === undefined ? {} : { pushedMs }),
  };
  const changes = { checks: summary.figures, watch };
  const checkNames = checks.map(({ name }) => name);
  if (isPushed || summary.failing.length > 0) return settledStep(parts, work, settled, { changes, checkNames });
  const entries = [detectedEntry(parts, work, settled)];
  // What failed on the host stays known: only the next look there tells whether the round made progress.
  return { changes: { ...changes, stage: "pushing" }, entries, checkNames, next: atOnce };
};

type Tested = NonNullable<WatchNotes["tested"]>["checks"][number];

function hostCheckOf({ name, conclusion, startedAt, completedAt }: Tested): HostCheck {
  const times = { startedAt: new Date(startedAt), completedAt: new Date(completedAt) };
  return { id: name, name, app: null, status: "completed", conclusion, url: null, ...times, annotations: [] };
}
