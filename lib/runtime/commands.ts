// Dependencies of commands and the supervisor. Each is a separate process that ends soon or does little, so parts that only some
// of them need are loaded on use.
import type { Config } from "#lib/config.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import type { HostKind } from "#lib/host/host.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import { nameOfSource } from "#lib/service/repository-name.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";

export { recordSystemAct } from "#lib/service/audit.ts";
export { normalizedSource } from "#lib/service/repository-source.ts";
export { checkCopy, compactDatabase, copyStore, numberAfter } from "#lib/store/sqlite/store-copy.ts";
export { nameOfSource };

/** Functions for secrets that commands need: they are created here, and only their hashes are stored. */
export type CommandAuth = {
  mintToken(): { secret: string; hash: Uint8Array; hint: string };
  scopesOf: typeof scopesOf;
};

/** Opens the store for a CLI command. Throws a one-line error. */
export async function openStoreForCommand(config: Config): Promise<{ store: Store; auth: CommandAuth }> {
  const { mintToken } = await import("#lib/auth/token-secret.ts");
  const store = await openStore({ file: config.storeFile });
  return { store, auth: { mintToken, scopesOf } };
}

/** Upgrades a store that no other process uses; returns its version before. Throws StoreError. */
export async function upgradeStore(file: string): Promise<number> {
  const { upgradeStore: upgrade } = await import("#lib/store/sqlite/upgrade-store.ts");
  return upgrade(file, (source, integrations) => nameOfSource(source, integrations).fullName);
}

/**
 * Makes the reads that pull requests need on the connected code hosts of this kind, of every organization (lib/host/dry-run.ts).
 */
export async function dryRunHost(config: Config, store: Store, kind: HostKind, signal: AbortSignal) {
  const { dryRun } = await import("#lib/host/dry-run.ts");
  const parts = await hostParts(config);
  const found = [];
  for (const row of await store.integrations.listByType(kind)) found.push(...(await dryRun(store, row, parts, signal)));
  return found;
}

/**
 * Reads the branches of a repository's source; with `reader`, using the organization's credential for the source's host. Throws a
 * WorkspaceError whose message may be shown.
 */
export async function inspectSource(
  source: string,
  signal: AbortSignal,
  config: Config,
  reader?: { store: Store; organizationId: number; seal?: Seal },
) {
  const { inspectSource: inspect } = await import("#lib/workspace/source.ts");
  const { dataDir, outboundAllow: allowed, environment: env } = config;
  const findCredential = async (refused?: string) => {
    if (reader === undefined) return { lacks: "Connect its code host under Integrations." };
    const { sourceCredentialsFrom } = await import("#lib/host/git-authorization.ts");
    const parts = await hostParts(config, reader.seal);
    return sourceCredentialsFrom(reader.store, parts)(reader.organizationId, source, signal, refused);
  };
  return inspect(source, { dataDir, allowed, findCredential, env, signal });
}

/** Dependencies of calls to code hosts. */
async function hostParts({ secretKey, outboundAllow }: Config, seal?: Seal) {
  const [{ createSeal }, { createOutbound }] = await Promise.all([
    import("#lib/secrets/seal.ts"),
    import("#lib/outbound/outbound.ts"),
  ]);
  return { seal: seal ?? createSeal(secretKey), send: createOutbound(outboundAllow).send };
}

/** Links the mirrors of the data folder into another folder; returns their number. */
export async function linkMirrors(dataDir: string, to: string): Promise<number> {
  return (await import("#lib/workspace/link-mirrors.ts")).linkMirrors(dataDir, to);
}

/** The highest ids of runs and repositories that a folder of mirrors knows, 0 if it knows none. */
export async function findHighestIds(mirrors: string): Promise<{ runs: number; repositories: number }> {
  return (await import("#lib/workspace/link-mirrors.ts")).findHighestIds(mirrors);
}

/** Progress of the search index; null if there is none. Throws if the store cannot be read. */
export async function indexProgressOf(config: Config): Promise<{ indexed: number; all: number } | null> {
  const { readIndexProgress } = await import("#lib/search/index-progress.ts");
  return readIndexProgress(config);
}
