import { join } from "node:path";
import type { AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { builtInRules } from "#lib/egress/built-in-rules.ts";
import { openProxy } from "#lib/egress/proxy.ts";
import { type PermittedPairs, readTarget } from "#lib/egress/resolve.ts";
import { type EgressRules, isCovered, refusalOf, ruleOfAddress } from "#lib/egress/rules.ts";
import { type WayOut, wayOutOf } from "#lib/egress/way-out.ts";
import { secretsInHeaders } from "#lib/entry/mask-values.ts";
import type { FindAddresses } from "#lib/outbound/outbound.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { Claimed, Store } from "#lib/store/store.ts";
import { decryptStoredKeys, keysBehindWall } from "./agent-keys.ts";
import { DenialNotes } from "./denial-notes.ts";
import { type RunSecrets, secretsInVariables } from "./run-secrets.ts";

/** Dependencies of the networks of an engine's runs. */
export type NetworkParts = {
  /** The folder of the runs' sockets. */
  folder: string;
  /** Hosts and ports in private networks that the instance's owner permits. */
  permitted: PermittedPairs;
  /** The service's own environment. */
  environment: Environment;
  unseal: Seal["unseal"];
  find?: FindAddresses;
};

/** The turn of a run whose agent gets a network. */
export type NetworkTurn = {
  store: Pick<Store, "networks" | "agentKeys" | "setups">;
  parts: NetworkParts;
  claimed: Claimed;
  profile: AgentProfile;
  mcpServers: AgentMcpServer[];
  secrets: RunSecrets;
  /** The run analyzes another one: its agent reads what others wrote, and reaches only its own hosts. */
  isAnalysis?: boolean;
};

/** What one turn's agent may reach, and the keys that it uses. */
export type RunNetwork = {
  /** The way out of the agent's wall; null on the leash, where it uses the service's network. */
  wayOut: WayOut | null;
  /** The agent's environment with its keys or their placeholders, and the variables of the way out. */
  environmentOf(environment: Environment): Environment;
  /** Writes the refusals so far, under the lease of the current turn. Never throws. */
  note(): Promise<void>;
  /** Closes every connection, forgets the keys and writes the refusals. Never throws. */
  close(): Promise<void>;
};

type Environment = Record<string, string>;

/** Opens the network of one turn, behind the wall or on the leash. Throws an AttemptError for a key that cannot be used. */
export async function openRunNetwork(turn: NetworkTurn, { isWalled }: { isWalled: boolean }): Promise<RunNetwork> {
  const { store, parts, claimed, profile, secrets } = turn;
  const own = agentEnvironment(parts.environment, profile, null, claimed.run.permissionMode);
  const kept = await decryptStoredKeys({ store: store.agentKeys, unseal: parts.unseal }, claimed.run, profile);
  secrets.add([...kept.values()]);
  secrets.add(turn.mcpServers.flatMap(({ headers }) => secretsInHeaders(headers)));
  secrets.add([own, ...profile.mcpPrograms.map(({ env }) => env)].flatMap(secretsInVariables));
  if (isWalled) return openWalledNetwork(turn, own, kept);
  const none = async () => undefined;
  const environmentOf = (given: Environment) => ({ ...given, ...Object.fromEntries(kept) });
  return { wayOut: null, environmentOf, note: none, close: none };
}

async function openWalledNetwork(
  turn: NetworkTurn,
  own: Environment,
  kept: ReadonlyMap<string, string>,
): Promise<RunNetwork> {
  const { parts, claimed, profile } = turn;
  const { given, withheld, keys } = keysBehindWall(profile, own, kept, parts.permitted);
  const { wayOut, note, close } = await openWayOut(turn, {
    name: "",
    rules: await rulesOf(turn, own),
    keys,
    howToAllow: turn.isAnalysis ? "An agent that analyzes a run reaches its own hosts only." : howToAllow(claimed),
  });
  const environmentOf = (environment: Environment) => {
    const seen = Object.entries(environment).filter(([variable]) => !withheld.includes(variable));
    return { ...Object.fromEntries(seen), ...wayOut.environment, ...given };
  };
  return { wayOut, environmentOf, note, close };
}

/** Opens a way out of a turn's wall, whose refusals are noted with the run. `name` distinguishes it from the turn's others. */
export async function openWayOut(
  { store, parts: { folder, find }, claimed, secrets }: NetworkTurn,
  { name, ...proxied }: Pick<Parameters<typeof openProxy>[0], "name" | "rules" | "keys" | "howToAllow">,
): Promise<Pick<RunNetwork, "note" | "close"> & { wayOut: WayOut }> {
  // Reads the lease at each write: the network may be kept for the next turn.
  const denials = new DenialNotes((noted) => store.networks.noteDenials(claimed.lease, secrets.mask.json(noted)));
  const socket = `${claimed.run.id}-${claimed.lease.epoch}${name}.sock`;
  const proxy = await openProxy({ ...proxied, folder, name: socket, onDenial: (denial) => denials.add(denial), find });
  const note = () => denials.flush();
  const close = async () => {
    await proxy.close().catch(() => undefined);
    await note();
  };
  return { wayOut: wayOutOf(join(folder, socket)), note, close };
}

async function rulesOf(
  { store, parts, claimed, profile, mcpServers, isAnalysis = false }: NetworkTurn,
  own: Environment,
): Promise<EgressRules> {
  const { mode, rules } = await store.networks.findForRun(claimed.run);
  const addresses = [
    ...mcpServers.flatMap(({ url, isOfRun }) => (isOfRun === true ? [] : url)),
    ...profile.keys.flatMap(({ baseUrl }) => own[baseUrl] ?? []),
  ];
  const ofAgent = [
    ...profile.hosts.map((host) => ({ host, port: 443 })),
    ...addresses.flatMap((address) => ruleOfAddress(address) ?? []),
  ];
  if (isAnalysis) {
    const own: EgressRules = { mode: "allowed", rules: ofAgent, permitted: new Set() };
    // A host of the profile is meant with every port that the owner permits there, other hosts with their address's.
    const isOwn = (pair: string) => {
      const target = readTarget(pair);
      if (target === null) return false;
      return refusalOf(own, target) === null || profile.hosts.some((host) => isCovered(host, target.host));
    };
    const permitted = new Set([...parts.permitted].filter(isOwn));
    return { ...own, mode: mode === "off" ? "off" : "allowed", permitted };
  }
  const builtIn = builtInRules(await store.networks.listSources(claimed.run.organizationId));
  return { mode, rules: [...rules, ...builtIn, ...ofAgent], permitted: parts.permitted };
}

/** Tells the reader of a refusal how to allow the host. */
export function howToAllow({ run }: Claimed): string {
  const place = run.repositoryId === null ? "" : `/repos/${run.repositoryId}`;
  const path = `/v1/organizations/${run.organizationId}${place}/network`;
  const whose = run.repositoryId === null ? "the organization" : "this repository";
  return `An admin can allow it for ${whose}, on the page of this run or with PATCH ${path}.`;
}
