import { setupAgent } from "#lib/contract/runs/agent-ids.ts";
import { builtInRules } from "#lib/egress/built-in-rules.ts";
import type { WayOut } from "#lib/egress/way-out.ts";
import { decryptStoredKeys } from "./agent-keys.ts";
import { howToAllow, type NetworkTurn, openWayOut } from "./run-network.ts";

/** What the setup commands of one turn get and its agent does not: their own way out, and secrets. */
export type SetupNetwork = {
  /** Null on the leash, where they use the service's network, and if there are no commands. */
  wayOut: WayOut | null;
  /** Variables with the values of stored keys. */
  variables: Record<string, string>;
  /** Variables that the setup names but that have no stored value. */
  missing: string[];
  /** Writes the refusals so far. Never throws. */
  note(): Promise<void>;
  /** Closes every connection and writes the refusals. Never throws. */
  close(): Promise<void>;
};

const nothing = async () => undefined;
/** For a turn whose setup commands are not run. */
export const noSetupNetwork: SetupNetwork = { wayOut: null, variables: {}, missing: [], note: nothing, close: nothing };

/**
 * Opens the network for the setup commands of a run's repository: package registries, the hosts of repositories, what is allowed
 * for every run, and what the setup names. Their secrets are masked in everything that is kept of the run. Throws an AttemptError
 * for a key that cannot be used.
 */
export async function openSetupNetwork(turn: NetworkTurn, { isWalled }: { isWalled: boolean }): Promise<SetupNetwork> {
  const { store, parts, claimed, secrets } = turn;
  const { run } = claimed;
  if (run.repositoryId === null || run.agent === setupAgent || run.sourceType === "SETUP_COMMANDS")
    return noSetupNetwork;
  const setup = await store.setups.findAccepted(run.repositoryId);
  if (setup === null) return noSetupNetwork;
  const { env, network } = setup.commands;
  const keys = env.map((variable) => ({ variable }));
  const kept = await decryptStoredKeys({ store: store.agentKeys, unseal: parts.unseal }, run, { keys });
  secrets.add([...kept.values()]);
  const own = {
    variables: Object.fromEntries(kept),
    missing: env.filter((variable) => !kept.has(variable)),
  };
  if (!isWalled) return { ...noSetupNetwork, ...own };
  const { mode, rules } = await store.networks.findForRun(run);
  const builtIn = builtInRules(await store.networks.listSources(run.organizationId));
  const asked = { mode, rules: [...rules, ...builtIn, ...network], permitted: parts.permitted };
  const ways = await openWayOut(turn, { name: "-setup", rules: asked, keys: [], howToAllow: howToAllow(claimed) });
  return { ...own, ...ways };
}
