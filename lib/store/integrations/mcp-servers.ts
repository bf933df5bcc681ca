import type { Selectable } from "kysely";
import { z } from "zod";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOrNull, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

const Names = z.array(z.string());
const Ids = z.array(z.int());

/** An MCP server that the agents of an organization are given. */
export type McpServerRow = ReturnType<typeof mcpServerRow>;

/** A server as somebody connects it. */
export type NewMcpServer = Pick<McpServerRow, "name" | "url" | "headerNames" | "headersSealed" | "repositoryIds">;

/** Result of asking a server for its name and tools. */
export type McpCheck = { active: true; server: string; tools: number } | { active: false; error: string };

/** The MCP servers of organizations. */
export function mcpServerStore({ writer, reader }: Dialect, now: Now) {
  const listIn = async (database: typeof reader, organizationId: number) => {
    const rows = await database
      .selectFrom("mcp_servers")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("name")
      .execute();
    return rows.map(mcpServerRow);
  };
  return {
    /** Those of the organization, by name. */
    list: ({ organizationId }: Pick<Access, "organizationId">): Promise<McpServerRow[]> =>
      listIn(reader, organizationId),

    /**
     * Keeps the organization's servers with these ids, for these repositories, removes its others, and adds new ones, which are not
     * active until a check succeeds.
     */
    replace(
      { organizationId }: Access,
      kept: Pick<McpServerRow, "id" | "repositoryIds">[],
      added: NewMcpServer[],
    ): Promise<McpServerRow[]> {
      return writer.transaction().execute(async (trx) => {
        await trx
          .deleteFrom("mcp_servers")
          .where("organization_id", "=", organizationId)
          .where(
            "id",
            "not in",
            kept.map(({ id }) => id),
          )
          .execute();
        for (const { id, repositoryIds } of kept) {
          await trx
            .updateTable("mcp_servers")
            .set({ repository_ids: idsJson(repositoryIds) })
            .where("organization_id", "=", organizationId)
            .where("id", "=", id)
            .execute();
        }
        for (const { name, url, headerNames, headersSealed, repositoryIds } of added) {
          await trx
            .insertInto("mcp_servers")
            .values({
              organization_id: organizationId,
              name,
              url,
              header_names: JSON.stringify(headerNames),
              headers_sealed: headersSealed,
              repository_ids: idsJson(repositoryIds),
              active: 0,
              created_at: now(),
            })
            .execute();
        }
        return listIn(trx, organizationId);
      });
    },

    /** Stores the result of a check, unless the server was replaced since. */
    async noteCheck(serverId: number, check: McpCheck): Promise<void> {
      await writer
        .updateTable("mcp_servers")
        .set({
          active: check.active ? 1 : 0,
          checked_at: now(),
          error: check.active ? null : check.error,
          ...(check.active ? { server: check.server, tools: check.tools } : {}),
        })
        .where("id", "=", serverId)
        .execute();
    },

    /** Removes all servers of the organization; returns their number. */
    async removeAll({ organizationId }: Access): Promise<number> {
      const { numDeletedRows } = await writer
        .deleteFrom("mcp_servers")
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

export type McpServerStore = ReturnType<typeof mcpServerStore>;

const idsJson = (ids: number[] | null) => (ids === null ? null : JSON.stringify(ids));

function mcpServerRow(row: Selectable<Schema["mcp_servers"]>) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    url: row.url,
    headerNames: Names.parse(JSON.parse(row.header_names)),
    /** Sealed JSON of the headers; null if there are none. */
    headersSealed: row.headers_sealed,
    /** The repositories whose runs are given it; null: all runs. */
    repositoryIds: row.repository_ids === null ? null : Ids.parse(JSON.parse(row.repository_ids)),
    /** Result of the last check; false before the first. */
    active: row.active !== 0,
    checkedAt: instantOrNull(row.checked_at),
    /** Why the last check failed; null if it did not. */
    error: row.error,
    /** The server's own name and its number of tools; null before it responded. */
    server: row.server,
    tools: row.tools,
  };
}
