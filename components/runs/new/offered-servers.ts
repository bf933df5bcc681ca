import type { McpServerStatus } from "#lib/contract/integrations/mcp-server.ts";
import type { Agent, Announced } from "#lib/contract/runs/agent.ts";

/**
 * Names of the organization's MCP servers that a run in this repository (null: in none) would be given, in order: those that
 * work, provided that the run's agent uses tools and does not say that it cannot use servers over HTTP.
 */
export function offeredServers(
  servers: readonly Pick<McpServerStatus, "name" | "active" | "repo_ids">[],
  repoId: number | null,
  agent: (Pick<Agent, "has_model"> & { announced: Pick<Announced, "mcp_http"> | null }) | undefined,
): string[] {
  if (agent === undefined || !agent.has_model || agent.announced?.mcp_http === false) return [];
  return servers.flatMap(({ name, active, repo_ids }) =>
    active && (repo_ids === null || repo_ids.some((id) => id === repoId)) ? [name] : [],
  );
}
