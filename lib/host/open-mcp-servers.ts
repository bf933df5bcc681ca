import { z } from "zod";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import type { McpServerRow, McpServerStore } from "#lib/store/mcp-servers.ts";

const Headers = z.record(z.string(), z.string());

/** Encryption context of a server's headers: they cannot be decrypted for another name or address. */
export function mcpSealContextOf({
  organizationId,
  name,
  url,
}: Pick<McpServerRow, "organizationId" | "name" | "url">): string {
  return `mcp:${organizationId}:${name}:${url}`;
}

/** A server's headers, or why they cannot be decrypted, as a sentence that may be shown. */
export function unsealHeaders(
  row: McpServerRow,
  seal: Pick<Seal, "unseal">,
): { headers: Record<string, string> } | { error: string } {
  if (row.headersSealed === null) return { headers: {} };
  try {
    return { headers: Headers.parse(JSON.parse(seal.unseal(row.headersSealed, mcpSealContextOf(row)))) };
  } catch (error) {
    if (error instanceof SealError) return { error: error.message };
    throw error;
  }
}

/** MCP servers given to the agent of a run in this repository, null: in none: those that worked when last checked. */
export function mcpServersFor(store: { mcpServers: Pick<McpServerStore, "list"> }, seal: Pick<Seal, "unseal">) {
  return async (organizationId: number, repositoryId: number | null) => {
    const rows = await store.mcpServers.list({ organizationId });
    return rows.flatMap((row) => {
      const isMeant = row.repositoryIds === null || row.repositoryIds.some((id) => id === repositoryId);
      const opened = row.active && isMeant ? unsealHeaders(row, seal) : { error: "" };
      return "headers" in opened ? [{ name: row.name, url: row.url, headers: opened.headers }] : [];
    });
  };
}
