import type { Transaction } from "kysely";
import { z } from "zod";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";

const RunMcpServer = z.object({ name: z.string(), url: z.string(), headersSealed: z.string().nullable() });
const RunMcpServers = z.object({ names: z.array(z.string()).nullable(), own: z.array(RunMcpServer) });

/** An MCP server of one run; its headers are sealed JSON, null if there are none. */
export type RunMcpServer = z.infer<typeof RunMcpServer>;

/**
 * The MCP servers of one run: the names of those of the organization, null for all that its repository's runs are given; and its
 * own.
 */
export type RunMcpServers = z.infer<typeof RunMcpServers>;

/** The column's value; null for a run that gets the same servers as every run of its repository. */
export function mcpServersColumn({ names, own }: RunMcpServers): string | null {
  return names === null && own.length === 0 ? null : JSON.stringify({ names, own });
}

/** Reads what {@link mcpServersColumn} wrote. */
export function parseMcpServers(column: string | null): RunMcpServers {
  return column === null ? { names: null, own: [] } : RunMcpServers.parse(JSON.parse(column));
}

/** Replaces a run's own servers from its next turn on. */
export async function replaceRunMcpServers(
  trx: Transaction<Schema>,
  runId: number,
  own: RunMcpServer[],
): Promise<void> {
  const run = await trx.selectFrom("runs").select("mcp_servers").where("id", "=", runId).executeTakeFirstOrThrow();
  const { names } = parseMcpServers(run.mcp_servers);
  await trx
    .updateTable("runs")
    .set({ mcp_servers: mcpServersColumn({ names, own }) })
    .where("id", "=", runId)
    .execute();
}

/** Reads the MCP servers of a run, for its engine. */
export function runMcpServersReader({ reader }: Pick<Dialect, "reader">): (runId: number) => Promise<RunMcpServers> {
  return async (runId) => {
    const run = await reader.selectFrom("runs").select("mcp_servers").where("id", "=", runId).executeTakeFirst();
    return parseMcpServers(run?.mcp_servers ?? null);
  };
}
