import { setupAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { AttemptError } from "./attempt-error.ts";
import type { EngineParts } from "./engine-parts.ts";
import { adviceOn } from "./isolation.ts";

/** The layers of one turn. */
export type TurnLayers = {
  /** The mounted space; null if nothing is mounted. */
  space: LayerSpace | null;
  /** Set if the run has just begun with a prepared checkout; otherwise null. */
  begun: { key: string; isSameTree: boolean; ms: number } | null;
  /**
   * The name under which the setup's results in this turn may be kept, or why they may not; null if the reason is of no interest.
   * `begunAt`: no command of the setup ran before, in milliseconds since 1970.
   */
  toKeep: { key: string; tree: string; begunAt: number } | { why: string } | null;
};

type Turn = {
  parts: Pick<EngineParts, "store" | "workspace">;
  claimed: Claimed;
  checkout: Checkout;
  isolation: Isolation;
  signal: AbortSignal;
  /** Whether setup commands may follow, which make again what is gone. */
  hasSetup: boolean;
};

/**
 * Mark of a checkout that has its layers, but in which the setup commands of no version have succeeded yet: later turns mount the
 * layers again and run the commands.
 */
const layersOnly = 0;

const gone =
  "The setup cache that the run used was removed, so its checkout lacks what the setup commands made. The run's next turn runs them again.";

const nothing: TurnLayers = { space: null, begun: null, toKeep: null };

/**
 * Mounts what the run had in its earlier turns or, in its first, the prepared checkout for its lockfiles. A failure costs only
 * time: the setup commands then run. If none may follow, it throws WorkspaceError `layers_unavailable` or AttemptError
 * `setup_cache_gone` instead. No process of the run may be alive. The caller closes `space`.
 */
export async function openTurnLayers(turn: Turn): Promise<TurnLayers> {
  const { run } = turn.claimed;
  if (turn.isolation !== "wall" || run.repositoryId === null) return nothing;
  if (run.agent === setupAgent || run.sourceType === "SETUP_COMMANDS") return nothing;
  try {
    return await openLayersOf(turn, run.repositoryId);
  } catch (error) {
    if (!(error instanceof WorkspaceError && error.code === "layers_unavailable") || !turn.hasSetup) throw error;
    // The run's layers cannot be mounted, so the commands make everything again.
    await startOver(turn);
    return { ...nothing, toKeep: { why: error.message } };
  }
}

async function openLayersOf(turn: Turn, repositoryId: number): Promise<TurnLayers> {
  const { parts, claimed, checkout, signal } = turn;
  const { store, workspace } = parts;
  const { run } = claimed;
  const startedAt = performance.now();
  const ofRun = { runId: run.id, checkout };
  if ((await workspace.preparedVersion(checkout)) !== null) {
    const space = await workspace.prepared.attachAgain(ofRun);
    if (typeof space === "object") return { ...nothing, space };
    if (space === "none") return nothing;
    if (!turn.hasSetup) throw new AttemptError("setup_cache_gone", gone);
    // The commands run again, in a checkout that the run has changed: nothing is kept for other runs.
    await startOver(turn);
    return nothing;
  }
  // The checkout was made again, or nothing has prepared it: no layers that the run had before belong to it.
  await workspace.prepared.forget(run.id);
  const setup = await store.setups.findAccepted(repositoryId);
  if (setup === null || setup.commands.install.length + setup.commands.build.length === 0) return nothing;
  const state = await workspace.prepared.state();
  if (!state.holds) return { ...nothing, toKeep: { why: `${state.why} ${adviceOn(state.fix)}` } };
  if (claimed.turn.number !== 1) return nothing;
  const keyed = await workspace.prepared.keyOf(checkout, setup.commands, signal);
  if (keyed === null) return nothing;
  const { key, tree } = keyed;
  if (await store.prepared.use({ repositoryId, key })) {
    const attached = await workspace.prepared.attach(ofRun, { repositoryId, key });
    if (attached !== null) {
      await workspace.markPrepared(checkout, layersOnly);
      const isSameTree = attached.manifest.tree === tree;
      return { ...nothing, space: attached.space, begun: { key, isSameTree, ms: performance.now() - startedAt } };
    }
  }
  const isKept = run.permissionMode !== "read-only" && (await beginsAtDefault(turn, repositoryId));
  if (!isKept || !(await workspace.prepared.isUntouched(checkout, signal))) return nothing;
  return { ...nothing, toKeep: { ...keyed, begunAt: Date.now() } };
}

async function startOver({ parts: { workspace }, claimed: { run }, checkout }: Turn): Promise<void> {
  await workspace.prepared.forget(run.id);
  await workspace.markPrepared(checkout, null);
}

/**
 * A lockfile says which packages are installed, but scripts run during the installation come from the commit. What a run on
 * another branch makes, for example with scripts that an agent has written, must not reach runs on the default branch.
 */
async function beginsAtDefault({ parts, claimed: { run } }: Turn, repositoryId: number): Promise<boolean> {
  if (run.baseBranch === null) return true;
  const access = { organizationId: run.organizationId, userId: null };
  return (await parts.store.repositories.find(access, repositoryId))?.defaultBranch === run.baseBranch;
}
