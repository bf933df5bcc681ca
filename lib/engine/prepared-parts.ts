import type { SetupCommands } from "#lib/contract/setup.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import type { Keeping, PreparedManifest } from "#lib/workspace/prepared-checkouts.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";

type PreparedName = { repositoryId: number; key: string };
/** A run and its checkout. */
export type OfRun = { runId: number; checkout: Checkout };

/** Prepared checkouts for runs behind the wall: the engine's view of them. */
export type PreparedWorkspace = {
  /** Whether runs on this machine can use them, as the wall and layers allow; fast once they can. */
  state(): Promise<WallState>;
  /** See preparedKey. Null if the checkout has no commit. */
  keyOf(
    checkout: Checkout,
    commands: SetupCommands,
    signal: AbortSignal,
  ): Promise<{ key: string; tree: string } | null>;
  /** See attachPrepared, attachAgain and forgetLayers. No process of the run may be alive. */
  attach(run: OfRun, name: PreparedName): Promise<{ manifest: PreparedManifest; space: LayerSpace } | null>;
  attachAgain(run: OfRun): Promise<LayerSpace | "none" | "gone">;
  forget(runId: number): Promise<void>;
  /** Whether the checkout contains nothing but the files of its base commit. */
  isUntouched(checkout: Checkout, signal: AbortSignal): Promise<boolean>;
  /** See keepPrepared. */
  keep(
    run: OfRun,
    made: { name: PreparedName; tree: string; begunAt: number; secrets: readonly string[]; bytesMax: number },
    signal: AbortSignal,
  ): Promise<Keeping>;
  list(): Promise<PreparedName[]>;
  /** False if a run has it mounted: then it stays. */
  remove(name: PreparedName): Promise<boolean>;
};
