import type { AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { Enclosure } from "./enclosures.ts";
import type { EngineParts } from "./engine-parts.ts";
import { openRunNetwork } from "./run-network.ts";
import type { RunSecrets } from "./run-secrets.ts";
import { noSetupNetwork, openSetupNetwork, type SetupNetwork } from "./setup-network.ts";
import { openTurnLayers, type TurnLayers } from "./turn-layers.ts";

/** Where one turn's processes work, and what its setup commands get. */
export type TurnPlace = {
  enclosure: Enclosure;
  layers: TurnLayers;
  setup: SetupNetwork;
  /** Ends a turn whose processes are kept, stopped; carries out now what closing would. Never throws. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the place where one turn's processes work, with their network; `close` it when they have ended. */
export async function openTurnPlace({
  parts,
  checkout,
  isolation,
  signal,
  hasSetup = true,
  ...turn
}: {
  parts: EngineParts;
  claimed: Claimed;
  profile: AgentProfile;
  mcpServers: AgentMcpServer[];
  secrets: RunSecrets;
  /** See NetworkTurn. */
  isAnalysis?: boolean;
  checkout: Checkout;
  isolation: Isolation;
  signal: AbortSignal;
  /** False: its shell gets the same as the agent, and nothing that only setup commands are given. */
  hasSetup?: boolean;
}): Promise<TurnPlace> {
  const { claimed, profile } = turn;
  const network = await openRunNetwork(
    { ...turn, store: parts.store, parts: parts.network },
    { isWalled: isolation === "wall" },
  );
  let layers: TurnLayers | null = null;
  let setup: SetupNetwork | null = null;
  const closeAll = async () => {
    await layers?.space?.close();
    await setup?.close();
    await network.close();
  };
  try {
    const asked = { ...turn, store: parts.store, parts: parts.network };
    setup = hasSetup ? await openSetupNetwork(asked, { isWalled: isolation === "wall" }) : noSetupNetwork;
    layers = await openTurnLayers({ parts, claimed, checkout, isolation, signal, hasSetup });
    const place = { runId: claimed.run.id, checkout, profile, isolation, network, setup, layers: layers.space };
    const enclosure = await parts.workspace.enclose(place);
    const close = async () => {
      await enclosure.leave();
      await closeAll();
    };
    const { note } = setup;
    const rest = async () => {
      await enclosure.leave();
      await note();
      await network.note();
    };
    return { enclosure, layers, setup, rest, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
