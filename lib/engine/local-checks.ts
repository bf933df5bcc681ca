import { AwakeTimer, awakeLimit } from "#lib/awake-timer.ts";
import type { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { checkNameOf } from "#lib/store/runs/cancelled-check.ts";
import type { ClaimedChecks } from "#lib/store/runs/local-checks.ts";
import { LeaseLostError } from "#lib/store/store.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import type { AttemptParts } from "./attempt.ts";
import { AttemptError } from "./attempt-error.ts";
import { chooseForTurn } from "./isolation.ts";
import { maskedQueue } from "./masked-queue.ts";
import { openTurnCheckout } from "./open-checkout.ts";
import { excerptOf } from "./pull-request/fix-prompt.ts";
import type { WatchNotes } from "./pull-request/watch-notes.ts";
import type { RunLease } from "./run-lease.ts";
import { RunProgress } from "./run-progress.ts";
import { RunSecrets } from "./run-secrets.ts";
import { runSetupCommand } from "./setup-command-run.ts";
import { openTurnPlace, type TurnPlace } from "./turn-place.ts";

type Tested = NonNullable<WatchNotes["tested"]>;

/** The commands are not tried again after this many engines stopped while they ran. */
const triesMax = 3;
/** Time limit for all commands of a commit together. */
const allMs = 3_600_000;
const tidyMs = 60_000;

/**
 * Runs the test and lint commands of the repository's setup on the work of a claimed run, in its checkout and isolated like its
 * agent, without the variables and hosts that only setup commands have. Their results are kept with the run's pull request.
 */
export async function runLocalChecks(parts: AttemptParts, claimed: ClaimedChecks, held: RunLease): Promise<void> {
  const { localChecks } = parts.store;
  try {
    const tested = await test(parts, claimed, held);
    if (held.stopReason === null) await localChecks.finish(claimed.lease, tested);
    else if (held.stopReason === "stopping") await localChecks.release(claimed.lease);
  } catch (error) {
    if (error instanceof LeaseLostError || held.stopReason === "lease_lost") return;
    if (held.stopReason === "stopping") return await localChecks.release(claimed.lease);
    if (held.stopReason === null) {
      const known = error instanceof AttemptError || error instanceof WorkspaceError;
      const problem = known ? error.message : "internal error";
      await localChecks.finish(claimed.lease, { commit: claimed.commit, problem, checks: [] } satisfies Tested);
    }
    if (!(error instanceof AttemptError)) throw error;
  } finally {
    held.end();
  }
}

async function test(parts: AttemptParts, claimed: ClaimedChecks, held: RunLease): Promise<Tested> {
  const { run, commit, tries, lease } = claimed;
  const { signal } = held;
  const none: Tested = { commit, problem: null, checks: [] };
  const setup = run.repositoryId === null ? null : await parts.store.setups.findAccepted(run.repositoryId);
  if (setup === null) return none;
  if (tries > triesMax) return { ...none, problem: `Errand stopped ${triesMax} times while they ran.` };
  const profile = parts.profiles.find(({ id }) => id === run.agent);
  if (profile === undefined) return { ...none, problem: `There is no agent called "${run.agent}".` };
  const isolation = await chooseForTurn(parts, claimed, profile);
  const checkout = await openTurnCheckout(parts, claimed, signal);
  const secrets = new RunSecrets();
  const queue = maskedQueue(parts.store.queue, () => secrets.mask);
  const progress = new RunProgress({ ...parts.store, queue }, lease);
  const place = await openTurnPlace({
    ...{ parts, claimed, profile, mcpServers: [], secrets, checkout, isolation, signal },
    hasSetup: false,
  });
  try {
    const wasClean = (await parts.workspace.uncommittedPaths(checkout, signal)).length === 0;
    try {
      return { ...none, checks: await runCommands(setup.commands, { place, progress, secrets, signal }) };
    } finally {
      // The results count, whatever the commands did to the checkout, such as removing its `.git`.
      const warn = (err: unknown) => parts.logger.warn({ run: run.id, err }, "what checks left could not be removed");
      // What they left would otherwise be in the next turn's commit.
      using limit = awakeLimit(tidyMs);
      if (wasClean) await parts.workspace.clean(checkout, limit.signal).catch(warn);
    }
  } finally {
    await place.close();
    await progress.flush();
  }
}

async function runCommands(
  commands: SetupCommands,
  { place, progress, secrets, signal }: Doing,
): Promise<Tested["checks"]> {
  const checks: Tested["checks"] = [];
  using all = new AwakeTimer(allMs, () => undefined);
  for (const kind of ["lint", "test"] as const) {
    for (const command of new Set(commands[kind])) {
      if (signal.aborted) return checks;
      const startedAt = new Date().toISOString();
      const end = await runSetupCommand({
        ...{ kind, command, signal },
        start: () => place.enclosure.startShell(command),
        timeoutMs: Math.max(1000, Math.min(commands.timeout_s * 1000, all.leftMs)),
        onProgress: (shown) => progress.show(() => shown),
      });
      progress.show(null);
      const { output, failure } = end;
      checks.push({
        name: checkNameOf(command),
        conclusion: failure === null ? "success" : end.timedOut ? "timed_out" : "failure",
        startedAt,
        completedAt: new Date().toISOString(),
        excerpt: excerptOf(secrets.mask.text(failure === null ? output : `${output}\nThe command ${failure}.`)),
      });
    }
  }
  return checks;
}

type Doing = { place: TurnPlace; progress: RunProgress; secrets: RunSecrets; signal: AbortSignal };
