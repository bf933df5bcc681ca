import { secretsInHeaders } from "#lib/entry/mask-values.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { Store } from "#lib/store/store.ts";
import { unsealHeaders } from "./open-mcp-servers.ts";

/** Values of stored keys, and the secrets in headers of MCP servers. */
export type GivenSecrets = { keys: string[]; headers: string[] };

/**
 * Secrets that agents of a run are given now and may have written into a file: stored keys, and those in the headers of the
 * organization's MCP servers and of the run's own. Those that cannot be decrypted were given to no agent.
 */
export async function secretsGivenTo(
  { store, seal }: { store: Pick<Store, "agentKeys" | "mcpServers" | "runs">; seal: Pick<Seal, "unseal"> },
  { organizationId, repositoryId, runId }: { organizationId: number; repositoryId: number | null; runId: number },
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
