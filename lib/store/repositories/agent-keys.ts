import type { Selectable } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

/** A key that is kept for agents, sealed. `repositoryId` null: for every run of the organization. */
export type AgentKeyRow = ReturnType<typeof keyRow>;

/** The keys that organizations keep for their agents. */
export function agentKeyStore({ writer, reader }: Dialect, now: Now) {
  return {
    /** By variable; that of the organization before those of repositories. */
    async list({ organizationId }: Access): Promise<AgentKeyRow[]> {
      const rows = await reader
        .selectFrom("agent_keys")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("variable")
        .orderBy("repository_id", (order) => order.asc().nullsFirst())
        .execute();
      return rows.map(keyRow);
    },

    /** Stores it, replacing any earlier one. The repository must belong to the organization. */
    put(
      { organizationId }: Access,
      { variable, repositoryId, sealed }: Pick<AgentKeyRow, "variable" | "repositoryId" | "sealed">,
    ): Promise<AgentKeyRow> {
      return writer.transaction().execute(async (trx) => {
        const kept = await trx
          .updateTable("agent_keys")
          .set({ sealed, changed_at: now() })
          .where("organization_id", "=", organizationId)
          .where("variable", "=", variable)
          .where("repository_id", "is", repositoryId)
          .returningAll()
          .executeTakeFirst();
        if (kept !== undefined) return keyRow(kept);
        const values = { organization_id: organizationId, repository_id: repositoryId, variable, sealed };
        const made = await trx
          .insertInto("agent_keys")
          .values({ ...values, changed_at: now() })
          .returningAll()
          .executeTakeFirstOrThrow();
        return keyRow(made);
      });
    },

    /** Null if it does not exist. */
    async remove({ organizationId }: Access, keyId: number): Promise<AgentKeyRow | null> {
      const row = await writer
        .deleteFrom("agent_keys")
        .where("id", "=", keyId)
        .where("organization_id", "=", organizationId)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : keyRow(row);
    },
  };
}

export type AgentKeyStore = ReturnType<typeof agentKeyStore>;

function keyRow(row: Selectable<Schema["agent_keys"]>) {
  const { id, variable, repository_id, sealed, changed_at } = row;
  return { id, variable, repositoryId: repository_id, sealed, changedAt: instantOf(changed_at) };
}
