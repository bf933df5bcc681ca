import { z } from "zod";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import type { McpServerRow, McpServerStore } from "#lib/store/integrations/mcp-servers.ts";
import type { RunStore } from "#lib/store/runs/runs.ts";

const Headers = z.record(z.string(), z.string());

/** Encryption context of a server's headers: they cannot be decrypted for another name or address. */
export function mcpSealContextOf({
  organizationId,
  name,
  url,
}: Pick<McpServerRow, "organizationId" | "name" | "url">): string {
  return `mcp:${organizationId}:${name}:${url}`;
}

/** A server's headers; null if they cannot be decrypted. */
export function unsealHeaders(
  row: Pick<McpServerRow, "organizationId" | "name" | "url" | "headersSealed">,
  seal: Pick<Seal, "unseal">,
): Record<string, string> | null {
  if (row.headersSealed === null) return {};
  try {
    return Headers.parse(JSON.parse(seal.unseal(row.headersSealed, mcpSealContextOf(row))));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** An MCP server as agents get it; `isOfRun`: whoever started the run named it. */
type GivenServer = { name: string; url: string; headers: Record<string, string>; isOfRun?: true };

/** An MCP server that was given with the run and cannot be used. Its code is that of the run's ERROR. */
class RunMcpServerError extends Error {
  readonly code = "mcp_server_unusable";
}

/**
 * MCP servers given to the agent of a run in this repository, null for a run without one: those of the organization that worked
 * when last checked, limited to the run's choice; and the run's own, which come first. Throws if one of the run's own cannot be
 * decrypted.
 */
export function mcpServersFor(
  store: { mcpServers: Pick<McpServerStore, "list">; runs: Pick<RunStore, "findMcpServers"> },
  seal: Pick<Seal, "unseal">,
) {
  return async (organizationId: number, repositoryId: number | null, runId: number): Promise<GivenServer[]> => {
    const [rows, ofRun] = await Promise.all([
      store.mcpServers.list({ organizationId }),
      store.runs.findMcpServers(runId),
    ]);
    const own = ofRun.own.map(({ name, url, headersSealed }) => {
      const headers = unsealHeaders({ organizationId, name, url, headersSealed }, seal);
      if (headers !== null) return { name, url, headers, isOfRun: true as const };
      throw new RunMcpServerError(
        `The MCP server ${name} of this run cannot be used: its headers cannot be decrypted.`,
      );
    });
    const ofOrganization = rows.flatMap((row) => {
      const isMeant = row.repositoryIds === null || row.repositoryIds.some((id) => id === repositoryId);
      const isChosen = ofRun.names === null || ofRun.names.includes(row.name);
      const isHidden = own.some(({ name }) => name.toLowerCase() === row.name.toLowerCase());
      const headers = row.active && isMeant && isChosen && !isHidden ? unsealHeaders(row, seal) : null;
      return headers === null ? [] : [{ name: row.name, url: row.url, headers }];
    });
    return [...own, ...ofOrganization];
  };
}
