import type { AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import type { Isolation } from "#lib/contract/isolation.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { Enclosure, EngineParts } from "./engine-parts.ts";
import { openRunNetwork } from "./run-network.ts";
import type { RunSecrets } from "./run-secrets.ts";

/** Opens where one turn's processes work, with the network that they have; `close` when they have ended. */
export async function openTurnPlace({
  parts,
  checkout,
  isolation,
  ...turn
}: {
  parts: EngineParts;
  claimed: Claimed;
  profile: AgentProfile;
  mcpServers: AgentMcpServer[];
  secrets: RunSecrets;
  checkout: Checkout;
  isolation: Isolation;
}): Promise<{ enclosure: Enclosure; close(): Promise<void> }> {
  const { claimed, profile } = turn;
  const network = await openRunNetwork(
    { ...turn, store: parts.store, parts: parts.network },
    { isWalled: isolation === "wall" },
  );
  try {
    const enclosure = await parts.workspace.enclose({ runId: claimed.run.id, checkout, profile, isolation, network });
    const close = async () => {
      await enclosure.leave();
      await network.close();
    };
    return { enclosure, close };
  } catch (error) {
    await network.close();
    throw error;
  }
}
