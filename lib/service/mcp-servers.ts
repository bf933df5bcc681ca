import { invalidField, notFound } from "#lib/contract/error.ts";
import { type ConnectIntegration, type IntegrationStatus, mcpTitle } from "#lib/contract/integrations/integration.ts";
import type { ConnectMcpServer, McpServerStatus } from "#lib/contract/integrations/mcp-server.ts";
import { checkMcpServer } from "#lib/host/mcp-server.ts";
import { mcpSealContextOf, unsealHeaders } from "#lib/host/open-mcp-servers.ts";
import type { McpServerRow, NewMcpServer } from "#lib/store/integrations/mcp-servers.ts";
import { recordAct } from "./audit.ts";
import { refuseMcpAddress } from "./mcp-address.ts";
import type { OrganizationContext } from "./service-context.ts";

const object = { type: "integration", name: mcpTitle };

/** The MCP servers as one integration: active if all of them responded to the last check. */
export async function mcpStatus({ store, access }: OrganizationContext): Promise<IntegrationStatus> {
  return present(await store.mcpServers.list(access));
}

/**
 * Replaces the organization's MCP servers, and checks at once those that are new, changed or not active, and those whose headers
 * cannot be decrypted: one that works and stays is not taken away from runs because it does not respond at this moment. 400 naming
 * what cannot be used.
 */
export async function putMcpServers(
  context: OrganizationContext,
  body: ConnectIntegration,
): Promise<IntegrationStatus> {
  const { store, access } = context;
  const servers = serversOf(context, body);
  const rows = await store.transaction(async (inside) => {
    const before = await inside.mcpServers.list(access);
    const kept = servers.map((server, at) => keptOf(server, at, before));
    const repositories = await Promise.all(
      servers.map((server, at) => repositoriesOf({ ...context, store: inside }, server, at, before)),
    );
    const added = servers.flatMap((server, at) =>
      kept[at] === null ? [newServer(context, server, repositories[at] ?? null)] : [],
    );
    const staying = kept.flatMap((row, at) =>
      row === null ? [] : [{ id: row.id, repositoryIds: repositories[at] ?? null }],
    );
    const after = await inside.mcpServers.replace(access, staying, added);
    await recordAct(inside, context, {
      act: "integration.changed",
      object,
      details: { type: "mcp", servers: after.map(({ name, url }) => `${name} (${url})`) },
    });
    return after;
  });
  return await check(
    context,
    rows.filter((row) => !row.active || unsealHeaders(row, context.seal) === null),
  );
}

/** Removes all servers with their headers. 404 if there is none. */
export async function deleteMcpServers(context: OrganizationContext): Promise<IntegrationStatus> {
  await context.store.transaction(async (inside) => {
    if ((await inside.mcpServers.removeAll(context.access)) === 0) throw notFound("Integration");
    await recordAct(inside, context, { act: "integration.removed", object, details: { type: "mcp" } });
  });
  return present([]);
}

/** Checks every server now. 404 if there is none. */
export async function testMcpServers(context: OrganizationContext): Promise<IntegrationStatus> {
  const rows = await context.store.mcpServers.list(context.access);
  if (rows.length === 0) throw notFound("Integration");
  const checked = await check(context, rows);
  const details = { type: "mcp", active: checked.active };
  await recordAct(context.store, context, { act: "integration.tested", object, details });
  return checked;
}

/** Checks these servers. Returns the state of all of the organization. */
async function check(context: OrganizationContext, rows: McpServerRow[]): Promise<IntegrationStatus> {
  const { seal, outbound, signal, store, access } = context;
  await Promise.all(
    rows.map(async (row) => {
      const headers = unsealHeaders(row, seal);
      const outcome =
        headers === null
          ? { active: false as const, error: "Its headers cannot be decrypted. Enter them again." }
          : await checkMcpServer({ url: row.url, headers }, outbound.send, signal);
      await store.mcpServers.noteCheck(row.id, outcome);
    }),
  );
  return present(await store.mcpServers.list(access));
}

/** The given servers, or 400. */
function serversOf({ outbound }: OrganizationContext, { servers, ...others }: ConnectIntegration): ConnectMcpServer[] {
  const other = Object.entries(others).find(([, value]) => value != null)?.[0];
  if (other !== undefined) throw invalidField([other], "cannot be set for MCP servers: use `servers`");
  if (servers == null) throw invalidField(["servers"], "is required to connect MCP servers");
  for (const [at, { name, url }] of servers.entries()) {
    refuseMcpAddress(outbound, url, ["servers", at, "url"]);
    const isSame = (one: ConnectMcpServer) => one.name.toLowerCase() === name.toLowerCase();
    if (servers.findIndex(isSame) !== at) throw invalidField(["servers", at, "name"], "must name each server once");
  }
  return servers;
}

/** The row that stays as it is; null if the server is new or changed. 400 if kept headers would go to another address. */
function keptOf({ name, url, headers }: ConnectMcpServer, at: number, before: McpServerRow[]): McpServerRow | null {
  const row = before.find((one) => one.name === name);
  if (row === undefined || headers !== undefined) return null;
  if (row.url === url) return row;
  if (row.headersSealed === null) return null;
  // Anyone who may change the address must not get the headers sent to their own server.
  throw invalidField(
    ["servers", at, "headers"],
    "is required when the url changes: stored headers are not sent to a new address",
  );
}

/** The repositories whose runs are given it; unchanged if none are named. 400 for one of another organization. */
async function repositoriesOf(
  { store, access }: Pick<OrganizationContext, "store" | "access">,
  { name, repo_ids }: ConnectMcpServer,
  at: number,
  before: McpServerRow[],
): Promise<number[] | null> {
  if (repo_ids === undefined) return before.find((row) => row.name === name)?.repositoryIds ?? null;
  if (repo_ids === null) return null;
  for (const [place, id] of repo_ids.entries()) {
    if ((await store.repositories.find(access, id)) !== null) continue;
    throw invalidField(["servers", at, "repo_ids", place], "must be the id of a repository of the organization");
  }
  return [...new Set(repo_ids)];
}

function newServer(
  { seal, access }: OrganizationContext,
  { name, url, headers }: ConnectMcpServer,
  repositoryIds: number[] | null,
): NewMcpServer {
  const headerNames = Object.keys(headers ?? {});
  const context = mcpSealContextOf({ organizationId: access.organizationId, name, url });
  const headersSealed = headerNames.length === 0 ? null : seal.seal(JSON.stringify(headers), context);
  return { name, url, headerNames, headersSealed, repositoryIds };
}

function present(rows: McpServerRow[]): IntegrationStatus {
  const servers = rows.map(presentServer);
  const failing = servers.filter(({ active }) => !active);
  const checks = rows.flatMap(({ checkedAt }) => (checkedAt === null ? [] : [checkedAt])).sort();
  const reason =
    servers.length === 0
      ? "Not connected."
      : failing.length === 0
        ? null
        : `${failing.map(({ name }) => name).join(", ")}: ${failing[0]?.reason ?? "not checked yet."}`;
  return {
    integration_type: "mcp",
    active: servers.length > 0 && failing.length === 0,
    token_id: null,
    installation_id: null,
    metadata: {
      title: mcpTitle,
      reason,
      connected: servers.length > 0,
      ...(servers.length === 0 ? {} : { checked_at: checks[0] ?? null, servers }),
    },
  };
}

function presentServer(row: McpServerRow): McpServerStatus {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    header_names: row.headerNames,
    repo_ids: row.repositoryIds,
    active: row.active,
    reason: row.error ?? (row.active ? null : "It has not been checked yet."),
    checked_at: row.checkedAt,
    server: row.server,
    tools: row.tools,
  };
}
