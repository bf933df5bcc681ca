import { invalidField } from "#lib/contract/error.ts";
import type { RunMcpServers as AskedServers } from "#lib/contract/integrations/mcp-server.ts";
import type { CreateRun } from "#lib/contract/runs/run.ts";
import { mcpSealContextOf } from "#lib/host/open-mcp-servers.ts";
import type { RunMcpServer, RunMcpServers } from "#lib/store/runs/run-mcp-servers.ts";
import { refuseMcpAddress } from "./mcp-address.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * The MCP servers of a new run, with the headers of its own ones sealed. 400 for a name that is not one of the organization's
 * servers for this repository, and for an address that cannot be used.
 */
export async function chooseMcpServers(
  context: OrganizationContext,
  { mcp_server_names: names, mcp_servers: own, repo_id }: CreateRun,
): Promise<RunMcpServers> {
  if (names != null) await requireServers(context, names, repo_id ?? null);
  return { names: names == null ? null : [...new Set(names)], own: sealRunServers(context, own ?? []) };
}

/** A run's own MCP servers as they are stored. 400 for an address that cannot be used, and for a name that occurs twice. */
export function sealRunServers({ outbound, seal, access }: OrganizationContext, servers: AskedServers): RunMcpServer[] {
  const { organizationId } = access;
  return servers.map(({ name, url, headers }, at) => {
    refuseMcpAddress(outbound, url, ["mcp_servers", at, "url"]);
    if (servers.findIndex((one) => one.name.toLowerCase() === name.toLowerCase()) !== at) {
      throw invalidField(["mcp_servers", at, "name"], "must name each server once");
    }
    const hasHeaders = Object.keys(headers ?? {}).length > 0;
    const sealed = hasHeaders
      ? seal.seal(JSON.stringify(headers), mcpSealContextOf({ organizationId, name, url }))
      : null;
    return { name, url, headersSealed: sealed };
  });
}

async function requireServers(
  { store, access }: OrganizationContext,
  names: readonly string[],
  repositoryId: number | null,
): Promise<void> {
  const rows = await store.mcpServers.list(access);
  for (const [at, name] of names.entries()) {
    const row = rows.find((one) => one.name === name);
    if (row === undefined)
      throw invalidField(["mcp_server_names", at], "must be the name of an MCP server of the organization");
    if (row.repositoryIds === null || row.repositoryIds.some((id) => id === repositoryId)) continue;
    throw invalidField(["mcp_server_names", at], "is not for runs of this repository");
  }
}
