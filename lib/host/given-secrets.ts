import { maskOf, secretsInHeaders, type ValueMask } from "#lib/entry/mask-values.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { Store } from "#lib/store/store.ts";
import { unsealHeaders } from "./open-mcp-servers.ts";

/** Values of stored keys, and the secrets in headers of MCP servers. */
export type GivenSecrets = { keys: string[]; headers: string[] };

type Run = { organizationId: number; repositoryId: number | null; runId: number };
type Parts = { store: Pick<Store, "agentKeys" | "mcpServers" | "runs">; seal: Pick<Seal, "unseal"> };

/** Masks the secrets that agents of a run are given now, in what leaves this service or is read from files of the run. */
export async function maskGiven(parts: Parts, run: Run): Promise<ValueMask> {
  const { keys, headers } = await secretsGivenTo(parts, run);
  return maskOf([...keys, ...headers]);
}

/**
 * Secrets that agents of a run are given now and may have written into a file: stored keys, and those in the headers of the
 * organization's MCP servers and of the run's own. Those that cannot be decrypted were given to no agent.
 */
export async function secretsGivenTo(
  { store, seal }: Parts,
  { organizationId, repositoryId, runId }: Run,
): Promise<GivenSecrets> {
  const [keys, servers, { own }] = await Promise.all([
    store.agentKeys.list({ organizationId, userId: null }),
    store.mcpServers.list({ organizationId }),
    store.runs.findMcpServers(runId),
  ]);
  return {
    keys: keys.flatMap((key) => {
      if (key.repositoryId !== null && key.repositoryId !== repositoryId) return [];
      try {
        return [seal.unseal(key.sealed, agentKeyContext(organizationId, key))];
      } catch {
        return [];
      }
    }),
    headers: [...servers, ...own.map((server) => ({ ...server, organizationId }))].flatMap((server) => {
      const headers = unsealHeaders(server, seal);
      return headers === null ? [] : secretsInHeaders(headers);
    }),
  };
}
