import { join } from "node:path";
import { Lru } from "#lib/lru.ts";
import type { AllowedTargets } from "#lib/outbound/allowed-targets.ts";
import { findRuleFiles } from "#lib/setup/rule-files.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { commitAndKeep, type FinishOptions } from "#lib/workspace/finish.ts";
import { isOutdated, moveCheckout } from "#lib/workspace/followed-checkout.ts";
import { usesLfs } from "#lib/workspace/lfs-files.ts";
import { changesOf } from "#lib/workspace/measure-changes.ts";
import { fetchAgain, keptCommit } from "#lib/workspace/mirror.ts";
import { sweepPrepared } from "#lib/workspace/prepared-checkouts.ts";
import { readPreparedMark, writePreparedMark } from "#lib/workspace/prepared-mark.ts";
import { pruneMirror, removeRepository, removeRun } from "#lib/workspace/remove-run.ts";
import { sweepLocks } from "#lib/workspace/repository-lock.ts";
import { openCheckout } from "#lib/workspace/resume-checkout.ts";
import { measureMirror, measureRunFiles, removeRunFiles, sweepRunFiles } from "#lib/workspace/run-files.ts";
import { sweepOrphans } from "#lib/workspace/sweep-orphans.ts";
import { tidyMirrors } from "#lib/workspace/tidy-mirrors.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
import { createEnclosures, type EnclosureSettings } from "./enclosures.ts";
import { createPreparedWorkspace } from "./prepared-workspace.ts";

type RunOf = { runId: number; repositoryId: number | null };
/** What a call asks besides the data folder, with the run's repository. */
type OfRepository<Call extends (options: never) => unknown> = RunOf &
  Omit<Parameters<Call>[0], "dataDir" | "runId" | "repoId" | "allowed" | "env" | "signal">;
type KeptTurn = Pick<OfRepository<typeof openCheckout>, "repositoryId" | "source" | "findCredential"> &
  Omit<FinishOptions, "env" | "signal" | "fetch">;

/** The engine's view of the workspace: mirrors, checkouts and agents' homes below one data folder. */
export function createRunWorkspace({
  dataDir,
  environment,
  sandbox,
  agentUser = null,
  readable = [],
  allowed,
  ...limits
}: Pick<EnclosureSettings, "dataDir" | "environment" | "sandbox"> &
  Partial<EnclosureSettings> & { allowed?: AllowedTargets }) {
  return {
    /** The run's checkout: created from the repository's mirror, or as the last turn left it. */
    open: ({ repositoryId: repoId, ...asked }: OfRepository<typeof openCheckout>, signal: AbortSignal) =>
      openCheckout({ ...asked, dataDir, repoId, allowed, env: environment, signal }),
    /** Whether `open` will move the checkout because others pushed on top of the run's commits. */
    isOutdated: ({ runId, repositoryId }: RunOf) => isOutdated({ dataDir, runId, repoId: repositoryId }),
    /** Commits the work to the run's branch in the mirror; returns that commit, the run's changes, and what is in neither. */
    keep: async ({ repositoryId: repoId, source, findCredential, ...turn }: KeptTurn, signal: AbortSignal) => {
      const asked = { dataDir, allowed, findCredential, env: environment, signal };
      const fetch = repoId === null || source === null ? undefined : () => fetchAgain({ ...asked, repoId, source });
      const work = await commitAndKeep({ ...turn, fetch, env: environment, signal });
      return { ...work, changes: changesOf(work) };
    },
    ...createEnclosures({ dataDir, environment, sandbox, agentUser, readable, ...limits }),
    /** Prepared checkouts, kept for later runs. */
    prepared: createPreparedWorkspace({ dataDir, environment, sandbox, agentUser, readable, ...limits }),
    /**
     * Version of the setup commands that prepared the checkout; null if none has since it was created, 0 if it only has the layers of
     * a prepared checkout.
     */
    preparedVersion: ({ path }: Checkout) => readPreparedMark(path),
    markPrepared: ({ path }: Checkout, version: number | null) => writePreparedMark(path, version),
    /** Paths the next commit of the checkout would change. */
    uncommittedPaths: (checkout: Checkout, signal: AbortSignal) =>
      listUncommittedPaths({ checkout, env: environment, signal }),
    /** Puts the checkout back on the run's branch, without changes; what git ignores stays. No process of the run may be at work. */
    clean: async (checkout: Checkout, signal: AbortSignal) => {
      const context = { env: environment, signal };
      const commit = (await keptCommit(checkout)) ?? checkout.baseCommit;
      if (commit !== null) await moveCheckout(checkout, commit, { ...context, cleans: true });
    },
    // Read from the run's branch in the mirror: in a `.git` where an agent has worked, git would obey its settings and links.
    findSetup: async ({ mirror, branch }: Checkout, signal: AbortSignal) => {
      const { readSigns } = await import("#lib/setup/read-signs.ts");
      const place = { gitDir: mirror, revision: `refs/heads/${branch}`, env: environment, signal };
      return (await readSigns(place))?.commands ?? [];
    },
    findRuleFiles: byCommit((gitDir, revision, signal) =>
      findRuleFiles({ gitDir, revision, env: environment, signal }),
    ),
    /** Whether the checkout has Git LFS's pointers in place of files. */
    usesLfs: byCommit((cwd, revision, signal) => usesLfs(revision, { cwd, env: environment, signal })),
    removeRun: (run: RunOf) => removeRun({ dataDir, ...run, env: environment }),
    measureRun: (runId: number) => measureRunFiles({ dataDir, runId }),
    measureMirror: (repoId: number | string) => measureMirror({ dataDir, repoId }),
    removeRunFiles: (runId: number, isWanted: () => Promise<boolean>) => removeRunFiles({ dataDir, runId, isWanted }),
    removeRepository: (repositoryId: number) => removeRepository({ dataDir, repositoryId }),
    pruneMirror: (repositoryId: number, signal: AbortSignal) =>
      pruneMirror({ dataDir, repositoryId, env: environment, signal }),
    /** git's housekeeping in all mirrors. */
    tidyMirrors: (signal: AbortSignal, onProblem: (mirror: string, error: unknown) => void) =>
      tidyMirrors({ dataDir, env: environment, signal, onProblem }),
    /** Ends processes that an earlier engine of this data folder left running, and removes what it left half done. */
    sweep: async () => {
      await sweepOrphans({ dataDir });
      await sweepLocks(join(dataDir, "mirrors"));
      await sweepPrepared(dataDir);
      await sweepRunFiles(dataDir);
    },
  };
}

/** Reads something of the commit of a run's branch; once for each of the last 1,000 commits, because a commit never changes. */
function byCommit<Value>(read: (mirror: string, revision: string, signal: AbortSignal) => Promise<Value>) {
  const known = new Lru<string, Value>({ count: 1000 });
  return async (checkout: Pick<Checkout, "mirror" | "branch">, signal: AbortSignal): Promise<Value> => {
    const commit = await keptCommit(checkout);
    const found = commit === null ? undefined : known.get(commit);
    if (found !== undefined) return found;
    const value = await read(checkout.mirror, commit ?? `refs/heads/${checkout.branch}`, signal);
    if (commit !== null) known.set(commit, value);
    return value;
  };
}
