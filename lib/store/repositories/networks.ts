import type { Kysely } from "kysely";
import type { Denial, DenialRule, NetworkMode, NetworkRule, RecentDenial } from "#lib/contract/repositories/network.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import { settingsRow } from "#lib/store/people/organization-settings.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { requireLease } from "#lib/store/runs/leased-run.ts";
import type { Lease } from "#lib/store/runs/queue-store.ts";
import type { Schema } from "#lib/store/schema.ts";

/** Connections to one host and port refused for one reason, since the last note. */
export type NewDenial = { host: string; rule: DenialRule; count: number };

/** Refused connections as they were recorded, whatever the rules allow since. */
export type RecordedDenial = Omit<Denial, "allowed">;
export type KeptRecentDenial = Omit<RecentDenial, "allowed">;

/** Maximum number of refused connections stored per run. */
const denialsMax = 200;

/** Hosts that agents may reach, and connections that were refused. */
export function networkStore({ writer, reader }: Dialect, now: Now) {
  return {
    /**
     * Settings of a repository, or of the organization itself if `repositoryId` is null; `mode` null: none of its own. Null if the
     * repository is not visible.
     */
    async find(
      { organizationId }: Access,
      repositoryId: number | null,
    ): Promise<{ mode: NetworkMode | null; rules: NetworkRule[] } | null> {
      if (repositoryId === null) {
        return { mode: await modeOf(reader, organizationId), rules: await rulesOf(reader, organizationId, null) };
      }
      const repository = await reader
        .selectFrom("repositories")
        .select("network")
        .where("id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      if (repository === undefined) return null;
      return { mode: repository.network, rules: await rulesOf(reader, organizationId, repositoryId) };
    },

    /** Sets a repository's own mode; that of an organization is one of its settings. */
    async setMode({ organizationId }: Access, repositoryId: number, mode: NetworkMode | null): Promise<void> {
      await writer
        .updateTable("repositories")
        .set({ network: mode })
        .where("id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .execute();
    },

    /** Replaces all rules of the repository, or of the organization itself. */
    putRules({ organizationId }: Access, repositoryId: number | null, rules: readonly NetworkRule[]): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        await trx
          .deleteFrom("egress_rules")
          .where("organization_id", "=", organizationId)
          .where("repository_id", "is", repositoryId)
          .execute();
        for (const { host, port } of rules) {
          await trx
            .insertInto("egress_rules")
            .values({ organization_id: organizationId, repository_id: repositoryId, host, port })
            .execute();
        }
      });
    },

    /** The settings that apply to runs on a repository, or without one. */
    async findForRun({
      organizationId,
      repositoryId,
    }: {
      organizationId: number;
      repositoryId: number | null;
    }): Promise<{ mode: NetworkMode; rules: NetworkRule[] }> {
      const own =
        repositoryId === null
          ? undefined
          : await reader.selectFrom("repositories").select("network").where("id", "=", repositoryId).executeTakeFirst();
      const rules = await rulesOf(reader, organizationId, null);
      if (repositoryId !== null) rules.push(...(await rulesOf(reader, organizationId, repositoryId)));
      return { mode: own?.network ?? (await modeOf(reader, organizationId)), rules };
    },

    /** Sources of the organization's repositories that an admin added. */
    async listSources(organizationId: number): Promise<string[]> {
      const rows = await reader
        .selectFrom("repositories")
        .select("source")
        .where("organization_id", "=", organizationId)
        .where("opens_host", "=", 1)
        .execute();
      return rows.map(({ source }) => source);
    },

    /** Adds to the run's recorded refusals. Throws LeaseLostError. */
    async noteDenials(lease: Lease, denials: readonly NewDenial[]): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        const kept = await trx
          .selectFrom("run_denials")
          .select(["host", "rule"])
          .where("run_id", "=", lease.runId)
          .execute();
        let room = denialsMax - kept.length;
        for (const { host, rule, count } of denials) {
          const isKept = kept.some((one) => one.host === host && one.rule === rule);
          if (!isKept && room-- <= 0) continue;
          await trx
            .insertInto("run_denials")
            .values({ run_id: lease.runId, host, rule, count, at: now() })
            .onConflict((conflict) =>
              conflict
                .columns(["run_id", "host", "rule"])
                .doUpdateSet((eb) => ({ count: eb("run_denials.count", "+", count), at: now() })),
            )
            .execute();
        }
      });
    },

    /** Latest first; null if the run is not visible. */
    async listDenials({ organizationId }: Access, runId: number): Promise<RecordedDenial[] | null> {
      const run = await reader
        .selectFrom("runs")
        .select("id")
        .where("id", "=", runId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      if (run === undefined) return null;
      const rows = await reader
        .selectFrom("run_denials")
        .select(["host", "rule", "count", "at"])
        .where("run_id", "=", runId)
        .orderBy("at", "desc")
        .orderBy("host")
        .orderBy("rule")
        .execute();
      return rows.map(({ at, ...denial }) => ({ ...denial, at: instantOf(at) }));
    },

    /**
     * Of all runs, or of those on a repository, since an instant in milliseconds since 1970: by host, reason and repository, latest
     * first.
     */
    async listRecentDenials(
      { organizationId }: Access,
      { repositoryId, since, limit }: { repositoryId: number | null; since: number; limit: number },
    ): Promise<KeptRecentDenial[]> {
      const ofRuns = reader
        .selectFrom("run_denials")
        .innerJoin("runs", "runs.id", "run_denials.run_id")
        .leftJoin("repositories", "repositories.id", "runs.repository_id")
        .where("run_denials.at", ">=", since)
        .where("runs.organization_id", "=", organizationId);
      const rows = await (repositoryId === null ? ofRuns : ofRuns.where("runs.repository_id", "=", repositoryId))
        .groupBy(["run_denials.host", "run_denials.rule", "runs.repository_id", "repositories.full_name"])
        .select(["run_denials.host", "run_denials.rule", "runs.repository_id"])
        .select("repositories.full_name as repo_full_name")
        .select(({ fn }) => [
          fn.sum<number>("run_denials.count").as("count"),
          fn.count<number>("run_denials.run_id").as("runs"),
          fn.max("run_denials.run_id").as("agent_run_id"),
          fn.max("run_denials.at").as("at"),
        ])
        .orderBy("at", "desc")
        .orderBy("host")
        .orderBy("rule")
        .orderBy("agent_run_id", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ at, ...denial }) => ({ ...denial, at: instantOf(at) }));
    },
  };
}

async function modeOf(database: Kysely<Schema>, organizationId: number): Promise<NetworkMode> {
  const row = await database
    .selectFrom("organizations")
    .select(["name", "settings"])
    .where("id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return settingsRow(row).network;
}

async function rulesOf(
  database: Kysely<Schema>,
  organizationId: number,
  repositoryId: number | null,
): Promise<NetworkRule[]> {
  const rows = await database
    .selectFrom("egress_rules")
    .select(["host", "port"])
    .where("organization_id", "=", organizationId)
    .where("repository_id", "is", repositoryId)
    .orderBy("id")
    .execute();
  return rows.map(({ host, port }) => ({ host, port }));
}
