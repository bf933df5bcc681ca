import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { attachAgain, attachPrepared, forgetLayers, type RunFolders } from "#lib/workspace/attached-layers.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { listIgnoredPaths } from "#lib/workspace/ignored-paths.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import { wallLimits } from "#lib/workspace/limits.ts";
import { keepPrepared, listPrepared, removePrepared } from "#lib/workspace/prepared-checkouts.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
import { wallPlaces } from "#lib/workspace/wall.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { type EnclosureSettings, hiddenFolders, onceItHolds } from "./enclosures.ts";

/** A run and its checkout. */
type OfRun = { runId: number; checkout: Checkout };
/** Name of a prepared checkout. */
type Named = { repositoryId: number; key: string };

type Made = { name: Named; tree: string; begunAt: number; secrets: readonly string[]; bytesMax: number };

/** Prepared checkouts for runs behind the wall, in the data folder. */
export function createPreparedWorkspace(settings: EnclosureSettings) {
  const { dataDir, environment: env, agentUser } = settings;
  // Runs are ended when less than the limit is left, and these still have to work.
  const leftBytes = 2 * (settings.diskLeftBytes ?? wallLimits.diskLeftBytes);
  const foldersOf = async ({ runId, checkout }: OfRun): Promise<RunFolders> => {
    const home = join(dataDir, "homes", String(runId));
    await mkdir(home, { recursive: true, mode: 0o700 });
    return { dataDir, runId, checkout: checkout.path, home: await realpath(home), env };
  };
  return {
    /** Whether runs on this machine can use them, as the wall and layers allow; fast once they can. */
    state: onceItHolds(() => findLayersState(settings)),
    /** See preparedKey. Null if the checkout has no commit. */
    keyOf: async ({ mirror, baseCommit }: Checkout, commands: SetupCommands, signal: AbortSignal) => {
      if (baseCommit === null) return null;
      const { preparedKey } = await import("#lib/setup/prepared-key.ts");
      const user = agentUser ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
      const path = wallPlaces.checkout;
      return preparedKey({ gitDir: mirror, commit: baseCommit, commands, user, path, env, signal });
    },
    /** See attachPrepared, attachAgain and forgetLayers. No process of the run may be alive. */
    attach: async (run: OfRun, name: Named) => attachPrepared(await foldersOf(run), { dataDir, ...name }),
    attachAgain: async (run: OfRun) => attachAgain(await foldersOf(run)),
    forget: (runId: number) => forgetLayers({ dataDir, runId }),
    /** Whether the checkout contains nothing but the files of its base commit. */
    isUntouched: async (checkout: Checkout, signal: AbortSignal) => {
      const looked = { checkout, env, signal };
      return (await listUncommittedPaths(looked)).length === 0 && (await listIgnoredPaths(looked)).length === 0;
    },
    /** See keepPrepared. */
    keep: async (run: OfRun, { name, ...made }: Made, signal: AbortSignal) => {
      const { home } = await foldersOf(run);
      const place = { dataDir, ...name };
      return keepPrepared({ ...made, place, leftBytes, checkout: run.checkout, home, env, signal });
    },
    list: () => listPrepared(dataDir),
    /** False if a run has it mounted: then it stays. */
    remove: (name: Named) => removePrepared({ dataDir, ...name }),
  };
}

/** Whether runs behind the wall of a service with these settings can begin with a prepared checkout. */
export async function findLayersState(settings: EnclosureSettings): Promise<WallState> {
  const { dataDir, environment: env, agentUser: user } = settings;
  await mkdir(dataDir, { recursive: true });
  return probeLayers({ dataDir, env, user, hidden: await hiddenFolders(dataDir) });
}
