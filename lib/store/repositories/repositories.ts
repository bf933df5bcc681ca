import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { CheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { shownSource } from "#lib/shown-source.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import { preparedStateColumn } from "#lib/store/storage/prepared.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import { newestGenerateRun, setupStatusOf } from "./setups.ts";

export type RepositoryRow = ReturnType<typeof repositoryRow>;

/** Repositories that runs can work in. */
export function repositoryStore({ writer, reader, contains }: Dialect, now: Now) {
  /** Repositories whose source contains `q` only in a part that is not shown. */
  const matchedInSecret = async (organizationId: number, q: string) => {
    const rows = await reader
      .selectFrom("repositories")
      .select(["id", "source"])
      .where("organization_id", "=", organizationId)
      .where((eb) => contains(eb.ref("source"), q))
      .where((eb) => contains(eb.ref("source"), "@"))
      .execute();
    const needle = q.toLowerCase();
    return rows.filter(({ source }) => !shownSource(source).toLowerCase().includes(needle)).map(({ id }) => id);
  };
  return {
    /**
     * Adds it, or returns the existing one with the same organization and source (`created` false). `opensHost`: agents may reach the
     * host of its source from now on, which is up to admins; default false.
     */
    add(
      { organizationId }: Access,
      {
        name,
        fullName,
        description,
        source,
        defaultBranch,
        opensHost = false,
      }: Pick<RepositoryRow, "name" | "fullName" | "description" | "source" | "defaultBranch"> & {
        opensHost?: boolean;
      },
    ): Promise<{ repository: RepositoryRow; created: boolean }> {
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
            opens_host: Number(opensHost),
          })
          .onConflict((conflict) => conflict.columns(["organization_id", "source"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (made === undefined && opensHost) {
          await trx
            .updateTable("repositories")
            .set({ opens_host: 1 })
            .where("organization_id", "=", organizationId)
            .where("source", "=", source)
            .execute();
        }
        const repository = await selectRepositories(trx, now())
          .where("repositories.organization_id", "=", organizationId)
          .where("repositories.source", "=", source)
          .executeTakeFirstOrThrow();
        return { repository: repositoryRow(repository), created: made !== undefined };
      });
    },

    async find({ organizationId }: Access, repositoryId: number): Promise<RepositoryRow | null> {
      const row = await selectRepositories(reader, now())
        .where("repositories.id", "=", repositoryId)
        .where("repositories.organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : repositoryRow(row);
    },

    /** By full name, as it is shown, then id. `q`: text in name, full name or source, ignoring case (by JavaScript's toLowerCase). */
    async list(
      { organizationId }: Access,
      { q }: { q?: string },
      { skip, limit }: Window,
    ): Promise<Listed<RepositoryRow>> {
      // A source matches only in its shown part, so that nobody can guess a hidden password by searching.
      const secretly = q === undefined ? [] : await matchedInSecret(organizationId, q);
      const matches = (eb: ExpressionBuilder<Schema, "repositories">) =>
        eb.and([
          eb("repositories.organization_id", "=", organizationId),
          ...(q === undefined
            ? []
            : [
                eb.or([
                  contains(eb.ref("repositories.name"), q),
                  contains(eb.ref("repositories.full_name"), q),
                  eb.and([contains(eb.ref("repositories.source"), q), eb("repositories.id", "not in", secretly)]),
                ]),
              ]),
        ]);
      const rows = await selectRepositories(reader, now())
        .where(matches)
        .orderBy(sql`lower(repositories.full_name)`)
        .orderBy("repositories.id")
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

    /** Changes the given fields. Null if the repository is not visible. */
    update(
      { organizationId }: Access,
      repositoryId: number,
      {
        name,
        fullName,
        description,
        fetchSubmodules,
      }: { name?: string; fullName?: string; description?: string | null; fetchSubmodules?: boolean },
    ): Promise<RepositoryRow | null> {
      return writer.transaction().execute(async (trx) => {
        await trx
          .updateTable("repositories")
          .set((eb) => ({
            ...(name === undefined ? {} : { name }),
            ...(fullName === undefined ? {} : { full_name: fullName }),
            ...(description === undefined ? {} : { description }),
            ...(fetchSubmodules === undefined ? {} : { fetch_submodules: Number(fetchSubmodules) }),
            id: eb.ref("id"),
          }))
          .where("id", "=", repositoryId)
          .where("organization_id", "=", organizationId)
          .execute();
        const row = await selectRepositories(trx, now())
          .where("repositories.id", "=", repositoryId)
          .where("repositories.organization_id", "=", organizationId)
          .executeTakeFirst();
        return row === undefined ? null : repositoryRow(row);
      });
    },

    /** Check settings; null if nobody has set any, and if it is not visible. */
    async findChecks({ organizationId }: Access, repositoryId: number): Promise<CheckSuiteSettings | null> {
      const row = await reader
        .selectFrom("check_suites")
        .select("settings")
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : CheckSuiteSettings.parse(JSON.parse(row.settings));
    },

    /** Stores all check settings. The repository must belong to the organization. */
    async putChecks({ organizationId }: Access, repositoryId: number, settings: CheckSuiteSettings): Promise<void> {
      const kept = { settings: JSON.stringify(settings), updated_at: now() };
      await writer
        .insertInto("check_suites")
        .values({ repository_id: repositoryId, organization_id: organizationId, ...kept })
        .onConflict((conflict) =>
          conflict.column("repository_id").doUpdateSet(kept).where("check_suites.organization_id", "=", organizationId),
        )
        .execute();
    },

    /** Stores the mirror's latest state. */
    async setDefaultBranch(repositoryId: number, defaultBranch: string | null): Promise<void> {
      await writer
        .updateTable("repositories")
        .set({ default_branch: defaultBranch })
        .where("id", "=", repositoryId)
        .where("default_branch", "is distinct from", defaultBranch)
        .execute();
    },
  };
}

/** Repositories with everything that determines their setup's status. */
function selectRepositories(database: Kysely<Schema>, now: number) {
  return database
    .selectFrom("repositories")
    .leftJoin("setups", "setups.repository_id", "repositories.id")
    .leftJoin("runs as generate", (join) => join.on("generate.id", "=", newestGenerateRun()))
    .selectAll("repositories")
    .select([
      "setups.commands",
      "setups.used_worked",
      "setups.proposal",
      "setups.proposal_run_id",
      "setups.proposal_open",
      "setups.decided_run_id",
      "generate.id as generate_id",
      "generate.status as generate_status",
      preparedStateColumn(now).as("prepared_state"),
    ]);
}

type SelectedRepository = Awaited<ReturnType<ReturnType<typeof selectRepositories>["execute"]>>[number];

function repositoryRow(row: SelectedRepository) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    fullName: row.full_name,
    description: row.description,
    source: row.source,
    defaultBranch: row.default_branch,
    createdAt: instantOf(row.created_at),
    setupStatus: setupStatusOf(row),
    /** New checkouts get the files of its submodules. */
    fetchSubmodules: row.fetch_submodules === 1,
  };
}
