import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { SetupCommands } from "#lib/contract/setup.ts";
import { attachAgain, attachPrepared, forgetLayers, type RunFolders } from "#lib/workspace/attached-layers.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { listIgnoredPaths } from "#lib/workspace/ignored-paths.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import {
  type Keeping,
  keepPrepared,
  listPrepared,
  type PreparedManifest,
  removePrepared,
} from "#lib/workspace/prepared-checkouts.ts";
import { listUncommittedPaths } from "#lib/workspace/uncommitted-paths.ts";
import { wallPlaces } from "#lib/workspace/wall.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { type EnclosureSettings, hiddenFolders } from "./enclosures.ts";

type PreparedName = { repositoryId: number; key: string };
type OfRun = { runId: number; checkout: Checkout };

/** What setups made, kept for later runs behind the wall: the engine's view of it. */
export type PreparedWorkspace = {
  /** Whether runs can be given it on this machine, where the wall holds; quick once they can. */
  state(): Promise<WallState>;
  /** See preparedKey. Null where the checkout has no commit. */
  keyOf(
    checkout: Checkout,
    commands: SetupCommands,
    signal: AbortSignal,
  ): Promise<{ key: string; tree: string } | null>;
  /** See attachPrepared, attachAgain and forgetLayers. No process of the run may be alive. */
  attach(run: OfRun, name: PreparedName): Promise<{ manifest: PreparedManifest; space: LayerSpace } | null>;
  attachAgain(run: OfRun): Promise<LayerSpace | "none" | "gone">;
  forget(runId: number): Promise<void>;
  /** Nothing lies in the checkout but the files of its base commit. */
  isUntouched(checkout: Checkout, signal: AbortSignal): Promise<boolean>;
  /** See keepPrepared. */
  keep(
    run: OfRun,
    made: { name: PreparedName; tree: string; secrets: readonly string[]; bytesMax: number },
    signal: AbortSignal,
  ): Promise<Keeping>;
  list(): Promise<PreparedName[]>;
  /** False where a run has it mounted: then it stays. */
  remove(name: PreparedName): Promise<boolean>;
};

/** What setups made, in the data folder. */
export function createPreparedWorkspace(settings: EnclosureSettings): PreparedWorkspace {
  const { dataDir, environment: env, agentUser } = settings;
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
      // What does not hold may be fixed while the service runs.
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
      return keepPrepared({ ...made, place: { dataDir, ...name }, checkout: run.checkout, home, env, signal });
    },
    list: () => listPrepared(dataDir),
    remove: (name) => removePrepared({ dataDir, ...name }),
  };
}

/** Whether runs behind the wall of a service with these settings can begin with what setups made. */
export async function findLayersState(settings: EnclosureSettings): Promise<WallState> {
  const { dataDir, environment: env, agentUser: user } = settings;
  await mkdir(dataDir, { recursive: true });
  return probeLayers({ dataDir, env, user, hidden: await hiddenFolders(dataDir) });
}
