import type { AgentProfile, KeyUse } from "#lib/agents/agent.ts";
import { type KeyHost, keyAddress, newSentinel, type RunKey, readKeyHost } from "#lib/egress/keys.ts";
import type { PermittedPairs } from "#lib/egress/resolve.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import type { AgentKeyStore } from "#lib/store/repositories/agent-keys.ts";
import type { RunRow } from "#lib/store/store.ts";
import { AttemptError } from "./attempt-error.ts";
import { addressOf, settingsWith } from "./key-settings.ts";

type Environment = Record<string, string>;

/** The keys kept for a run, by variable; a repository's overrides its organization's. Throws if one cannot be decrypted. */
export async function decryptStoredKeys(
  { store, unseal }: { store: Pick<AgentKeyStore, "list">; unseal: Seal["unseal"] },
  { organizationId, repositoryId, userId }: Pick<RunRow, "organizationId" | "repositoryId" | "userId">,
  { keys }: { keys: readonly Pick<KeyUse, "variable">[] },
): Promise<Map<string, string>> {
  const wanted = new Set(keys.map(({ variable }) => variable));
  const opened = new Map<string, string>();
  if (wanted.size === 0) return opened;
  const rows = (await store.list({ organizationId, userId })).filter(
    (row) => wanted.has(row.variable) && (row.repositoryId === null || row.repositoryId === repositoryId),
  );
  // The organization's rows come first, so the repository's value overrides them.
  for (const row of rows) opened.set(row.variable, unsealed(row, organizationId, unseal));
  return opened;
}

function unsealed(
  row: Parameters<typeof agentKeyContext>[1] & { sealed: string },
  organizationId: number,
  unseal: Seal["unseal"],
): string {
  try {
    return unseal(row.sealed, agentKeyContext(organizationId, row));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new AttemptError("key_unusable", `The stored key ${row.variable} cannot be decrypted. Enter it again.`);
  }
}

/**
 * How an agent behind the wall uses its keys: the variables that it is given, those that it must not see, and the keys that the
 * proxy holds.
 */
export type WalledKeys = { given: Environment; withheld: string[]; keys: RunKey[] };

/**
 * The keys of an agent behind the wall: it gets placeholders, and addresses that lead to the proxy, which holds the keys. If
 * several keys have the same address variable, the first that exists is used. `environment`: what it would see on the leash.
 */
export function keysBehindWall(
  profile: Pick<AgentProfile, "keys">,
  environment: Environment,
  kept: ReadonlyMap<string, string>,
  permitted: PermittedPairs,
): WalledKeys {
  const given: Environment = {};
  const keys: RunKey[] = [];
  for (const use of profile.keys) {
    const value = kept.get(use.variable) ?? environment[use.variable];
    if (value === undefined || use.baseUrl in given) continue;
    const place = placeOf(use, addressOf(use, environment), permitted);
    const sentinel = newSentinel();
    keys.push({ ...place.host, variable: use.variable, header: use.header.toLowerCase(), sentinel, value });
    given[use.variable] = sentinel;
    const address = keyAddress(use.variable, place.path);
    given[use.baseUrl] = address;
    Object.assign(given, settingsWith(use, address, { ...environment, ...given }));
  }
  return { given, withheld: profile.keys.map(({ variable }) => variable), keys };
}

/** Where a key is used: at the address that the service's environment names, else at the profile's. */
function placeOf(use: KeyUse, baseUrl: string | undefined, permitted: PermittedPairs): { host: KeyHost; path: string } {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  const named = url === null ? use.host : `${url.protocol === "http:" ? "http://" : ""}${url.host}`;
  const host = readKeyHost(named, permitted);
  if (host !== null) return { host, path: url === null ? use.path : url.pathname.replace(/\/$/, "") };
  throw new AttemptError(
    "key_host_refused",
    `The key ${use.variable} is not sent to ${named}: without TLS, keys are sent only to hosts in ERRAND_EGRESS_PRIVATE.`,
  );
}
