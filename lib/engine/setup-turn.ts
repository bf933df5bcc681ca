import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { Enclosure } from "./enclosures.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { RunProgress } from "./run-progress.ts";
import type { SetupNetwork } from "./setup-network.ts";
import type { TurnLayers } from "./turn-layers.ts";

/** Input for preparing a turn. */
export type SetupTurn = {
  parts: EngineParts;
  claimed: Claimed;
  checkout: Checkout;
  enclosure: Enclosure;
  layers: TurnLayers;
  setup: SetupNetwork;
  progress: RunProgress;
  signal: AbortSignal;
};
