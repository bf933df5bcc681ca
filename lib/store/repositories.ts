import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import { instantOf, type Now } from "./instant.ts";
import type { Schema } from "./schema.ts";
import type { RepositoryRow, RepositoryStore } from "./store.ts";

/** The repositories that runs may work in. */
export function repositoryStore({ writer, reader, contains }: Dialect, now: Now): RepositoryStore {
  return {
    add({ organizationId }, { name, fullName, description, source, defaultBranch }) {
      return writer.transaction().execute(async (trx) => {
        const made = await trx
          .insertInto("repositories")
          .values({
            organization_id: organizationId,
            name,
            full_name: fullName,
            description,
            source,
            default_branch: defaultBranch,
            created_at: now(),
          })
          .onConflict((conflict) => conflict.columns(["organization_id", "source"]).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (made !== undefined) return { repository: repositoryRow(made), created: true };
        const there = await trx
          .selectFrom("repositories")
          .selectAll()
          .where("organization_id", "=", organizationId)
          .where("source", "=", source)
          .executeTakeFirstOrThrow();
        return { repository: repositoryRow(there), created: false };
      });
    },

    async find({ organizationId }, repositoryId) {
      const row = await reader
        .selectFrom("repositories")
        .selectAll()
        .where("id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : repositoryRow(row);
    },

    async list({ organizationId }, { q }, { skip, limit }) {
      const matches = (eb: ExpressionBuilder<Schema, "repositories">) =>
        eb.and([
          eb("organization_id", "=", organizationId),
          ...(q === undefined
            ? []
            : [eb.or([contains(eb.ref("name"), q), contains(eb.ref("full_name"), q), contains(eb.ref("source"), q)])]),
        ]);
      const rows = await reader
        .selectFrom("repositories")
        .selectAll()
        .where(matches)
        .orderBy(sql`lower(name)`)
        .orderBy("id")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom("repositories")
        .where(matches)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(repositoryRow), total };
    },

    async setDefaultBranch(repositoryId, defaultBranch) {
      await writer
        .updateTable("repositories")
        .set({ default_branch: defaultBranch })
        .where("id", "=", repositoryId)
        .where("default_branch", "is distinct from", defaultBranch)
        .execute();
    },
  };
}

function repositoryRow(row: Selectable<Schema["repositories"]>): RepositoryRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    fullName: row.full_name,
    description: row.description,
    source: row.source,
    defaultBranch: row.default_branch,
    createdAt: instantOf(row.created_at),
  };
}
