import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { attachAgain, attachPrepared, forgetLayers, type RunFolders } from "#lib/workspace/attached-layers.ts";
import { listIgnoredPaths } from "#lib/workspace/ignored-paths.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import { wallLimits } from "#lib/workspace/limits.ts";
import { keepPrepared, listPrepared, removePrepared } from "#lib/workspace/prepared-checkouts.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
import { wallPlaces } from "#lib/workspace/wall.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { type EnclosureSettings, hiddenFolders } from "./enclosures.ts";
import type { OfRun, PreparedWorkspace } from "./prepared-parts.ts";

/** The prepared checkouts in the data folder. */
export function createPreparedWorkspace(settings: EnclosureSettings): PreparedWorkspace {
  const { dataDir, environment: env, agentUser } = settings;
  // Runs are ended when less than the limit is left, and these still have to work.
  const leftBytes = 2 * (settings.diskLeftBytes ?? wallLimits.diskLeftBytes);
  const held: { state: Promise<WallState> | null } = { state: null };
  const foldersOf = async ({ runId, checkout }: OfRun): Promise<RunFolders> => {
    const home = join(dataDir, "homes", String(runId));
    await mkdir(home, { recursive: true, mode: 0o700 });
    return { dataDir, runId, checkout: checkout.path, home: await realpath(home), env };
  };
  return {
    state: async () => {
      held.state ??= findLayersState(settings);
      const state = await held.state;
      // If layers cannot be mounted, that may be fixed while the service runs.
      if (!state.holds) held.state = null;
      return state;
    },
    keyOf: async ({ mirror, baseCommit }, commands, signal) => {
      if (baseCommit === null) return null;
      const { preparedKey } = await import("#lib/setup/prepared-key.ts");
      const user = agentUser ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
      const path = wallPlaces.checkout;
      return preparedKey({ gitDir: mirror, commit: baseCommit, commands, user, path, env, signal });
    },
    attach: async (run, name) => attachPrepared(await foldersOf(run), { dataDir, ...name }),
    attachAgain: async (run) => attachAgain(await foldersOf(run)),
    forget: (runId) => forgetLayers({ dataDir, runId }),
    isUntouched: async (checkout, signal) => {
      const looked = { checkout, env, signal };
      return (await listUncommittedPaths(looked)).length === 0 && (await listIgnoredPaths(looked)).length === 0;
    },
    keep: async (run, { name, ...made }, signal) => {
      const { home } = await foldersOf(run);
      const place = { dataDir, ...name };
      return keepPrepared({ ...made, place, leftBytes, checkout: run.checkout, home, env, signal });
    },
    list: () => listPrepared(dataDir),
    remove: (name) => removePrepared({ dataDir, ...name }),
  };
}

/** Whether runs behind the wall of a service with these settings can begin with a prepared checkout. */
export async function findLayersState(settings: EnclosureSettings): Promise<WallState> {
  const { dataDir, environment: env, agentUser: user } = settings;
  await mkdir(dataDir, { recursive: true });
  return probeLayers({ dataDir, env, user, hidden: await hiddenFolders(dataDir) });
}
