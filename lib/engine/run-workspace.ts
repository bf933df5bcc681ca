import type { AllowedTargets } from "#lib/outbound/allowed-targets.ts";
import { findRuleFiles } from "#lib/setup/rule-files.ts";
import { keptCommit } from "#lib/workspace/checkout-git.ts";
import { commitAndKeep } from "#lib/workspace/finish.ts";
import { isOutdated, moveCheckout } from "#lib/workspace/followed-checkout.ts";
import { usesLfs } from "#lib/workspace/lfs-files.ts";
import { changesOf } from "#lib/workspace/measure-changes.ts";
import { fetchAgain } from "#lib/workspace/mirror.ts";
import { sweepPrepared } from "#lib/workspace/prepared-checkouts.ts";
import { readPreparedMark, writePreparedMark } from "#lib/workspace/prepared-mark.ts";
import { pruneMirror, removeRepository, removeRun } from "#lib/workspace/remove-run.ts";
import { openCheckout } from "#lib/workspace/resume-checkout.ts";
import { measureMirror, measureRunFiles, removeRunFiles, sweepRunFiles } from "#lib/workspace/run-files.ts";
import { sweepOrphans } from "#lib/workspace/sweep-orphans.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
import { createEnclosures, type EnclosureSettings } from "./enclosures.ts";
import type { Workspace } from "./engine-parts.ts";
import { createPreparedWorkspace } from "./prepared-workspace.ts";

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
  Partial<EnclosureSettings> & { allowed?: AllowedTargets }): Workspace {
  return {
    open: ({ repositoryId: repoId, ...asked }, signal) =>
      openCheckout({ ...asked, dataDir, repoId, allowed, env: environment, signal }),
    isOutdated: ({ runId, repositoryId }) => isOutdated({ dataDir, runId, repoId: repositoryId, env: environment }),
    keep: async ({ repositoryId: repoId, source, findCredential, ...turn }, signal) => {
      const asked = { dataDir, allowed, findCredential, env: environment, signal };
      const fetch = repoId === null || source === null ? undefined : () => fetchAgain({ ...asked, repoId, source });
      const work = await commitAndKeep({ ...turn, fetch, env: environment, signal });
      return { ...work, changes: changesOf(work) };
    },
    ...createEnclosures({ dataDir, environment, sandbox, agentUser, readable, ...limits }),
    prepared: createPreparedWorkspace({ dataDir, environment, sandbox, agentUser, readable, ...limits }),
    preparedVersion: ({ path }) => readPreparedMark(path),
    markPrepared: ({ path }, version) => writePreparedMark(path, version),
    uncommittedPaths: (checkout, signal) => listUncommittedPaths({ checkout, env: environment, signal }),
    clean: async (checkout, signal) => {
      const context = { env: environment, signal };
      const commit = (await keptCommit(checkout, context)) ?? checkout.baseCommit;
      if (commit !== null) await moveCheckout(checkout, commit, { ...context, cleans: true });
    },
    // Read from the run's branch in the mirror: in a `.git` where an agent has worked, git would obey its settings and links.
    findSetup: async ({ mirror, branch }, signal) => {
      const { readSigns } = await import("#lib/setup/read-signs.ts");
      const place = { gitDir: mirror, revision: `refs/heads/${branch}`, env: environment, signal };
      return (await readSigns(place))?.commands ?? [];
    },
    findRuleFiles: ({ mirror, branch }, signal) =>
      findRuleFiles({ gitDir: mirror, revision: `refs/heads/${branch}`, env: environment, signal }),
    usesLfs: ({ mirror, branch }, signal) => usesLfs(`refs/heads/${branch}`, { cwd: mirror, env: environment, signal }),
    removeRun: (run) => removeRun({ dataDir, ...run, env: environment }),
    measureRun: (runId) => measureRunFiles({ dataDir, runId }),
    measureMirror: (repoId) => measureMirror({ dataDir, repoId }),
    removeRunFiles: (runId, isWanted) => removeRunFiles({ dataDir, runId, isWanted }),
    removeRepository: (repositoryId) => removeRepository({ dataDir, repositoryId }),
    pruneMirror: (repositoryId, signal) => pruneMirror({ dataDir, repositoryId, env: environment, signal }),
    sweep: async () => {
      await sweepOrphans({ dataDir });
      await sweepPrepared(dataDir);
      await sweepRunFiles(dataDir);
    },
  };
}
