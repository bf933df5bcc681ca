import { setupAgent } from "#lib/contract/agent-ids.ts";
import type { Isolation } from "#lib/contract/isolation.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import type { EngineParts } from "./engine-parts.ts";
import { mended } from "./isolation.ts";

/** What one turn has of what setups made. */
export type TurnLayers = {
  /** Where it is mounted; null where nothing is. */
  space: LayerSpace | null;
  /** The run has just begun with it; null where it has not. */
  begun: { key: string; isSameTree: boolean; ms: number } | null;
  /** What the setup makes in this turn may be kept under this name; or why it may not be, null where that is of no interest. */
  toKeep: { key: string; tree: string } | { why: string } | null;
};

type Turn = {
  parts: Pick<EngineParts, "store" | "workspace">;
  claimed: Claimed;
  checkout: Checkout;
  isolation: Isolation;
  signal: AbortSignal;
};

const nothing: TurnLayers = { space: null, begun: null, toKeep: null };

/**
 * Mounts what the run had in its earlier turns, or, in its first, what is kept for its commit. Whatever cannot be had costs time only: the
 * setup commands then run. No process of the run may be alive. `space` is closed by the caller.
 */
export async function openTurnLayers(turn: Turn): Promise<TurnLayers> {
  const { run } = turn.claimed;
  if (turn.isolation !== "wall" || run.repositoryId === null) return nothing;
  if (run.agent === setupAgent || run.sourceType === "SETUP_COMMANDS") return nothing;
  try {
    return await openLayersOf(turn, run.repositoryId);
  } catch (error) {
    if (!(error instanceof WorkspaceError && error.code === "layers_unavailable")) throw error;
    // What the run had is out of reach: the commands make it anew.
    await startAnew(turn);
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
    // The commands run again, in what the run has become since: nothing for other runs.
    await startAnew(turn);
    return nothing;
  }
  const setup = await store.setups.findAccepted(repositoryId);
  if (setup === null || setup.commands.install.length + setup.commands.build.length === 0) return nothing;
  const state = await workspace.prepared.state();
  if (!state.holds) return { ...nothing, toKeep: { why: `${state.why} ${mended(state.mend)}` } };
  if (claimed.turn.number !== 1) return nothing;
  const keyed = await workspace.prepared.keyOf(checkout, setup.commands, signal);
  if (keyed === null) return nothing;
  const { key, tree } = keyed;
  if (await store.prepared.use({ repositoryId, key })) {
    const attached = await workspace.prepared.attach(ofRun, { repositoryId, key });
    if (attached !== null) {
      await workspace.markPrepared(checkout, setup.version);
      const isSameTree = attached.manifest.tree === tree;
      return { ...nothing, space: attached.space, begun: { key, isSameTree, ms: performance.now() - startedAt } };
    }
  }
  const isKept = run.permissionMode !== "read-only" && (await beginsAtDefault(turn, repositoryId));
  return { ...nothing, toKeep: isKept && (await workspace.prepared.isUntouched(checkout, signal)) ? keyed : null };
}

async function startAnew({ parts: { workspace }, claimed: { run }, checkout }: Turn): Promise<void> {
  await workspace.prepared.forget(run.id);
  await workspace.markPrepared(checkout, null);
}

/**
 * A lockfile tells which packages are installed, but the scripts that run meanwhile are files of the commit: what a run on another
 * branch makes, one that an agent has written for example, is not what runs on the default branch should begin with.
 */
async function beginsAtDefault({ parts, claimed: { run } }: Turn, repositoryId: number): Promise<boolean> {
  if (run.baseBranch === null) return true;
  const access = { organizationId: run.organizationId, userId: null };
  return (await parts.store.repositories.find(access, repositoryId))?.defaultBranch === run.baseBranch;
}
