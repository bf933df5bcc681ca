import { sql } from "kysely";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { endStatuses } from "#lib/contract/runs/run-end.ts";
import { countSessionBytes } from "#lib/store/claude-code/session-bytes.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { entryId } from "#lib/store/entries/entry-id.ts";
import { instantOrNull, type Now } from "#lib/store/instant.ts";
import { settingsRow } from "#lib/store/people/organization-settings.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

/**
 * Measured parts: `run` is a run's permanent data (its log, and its mirror if it has no repository), `files` its checkout, home and
 * layers, `mirror` a repository's mirror.
 */
export type SizeKind = Schema["disk_usage"]["kind"];

/** Limits of what one organization keeps; null: no limit. Times in milliseconds since 1970. */
export type RetentionLimits = {
  /** Runs that ended before this time are deleted. */
  runsBefore: number | null;
  /** The oldest runs are deleted until the others use no more than this. */
  runBytesMax: number | null;
  /** Files of runs that ended before this time are removed; their branches stay. */
  filesBefore: number | null;
  /** The same for files with work that is in no branch. */
  filesLeftOutBefore: number | null;
};

/** What rules would remove. */
export type RetentionPreview = { runs: number; runBytes: number; files: number; fileBytes: number };

/** Disk use of a repository's runs; null: runs without a repository. */
export type RepositoryUse = {
  repositoryId: number | null;
  fullName: string | null;
  runs: number;
  runBytes: number;
  fileBytes: number;
  mirrorBytes: number;
  preparedBytes: number;
};

/** A run to be measured. */
export type UnmeasuredRun = { runId: number; repositoryId: number | null; totalLogs: number };

/** When a run ended; one that was reported after it happened is only as old as its report. */
const endedAt = sql<number>`max(runs.finished_at, runs.created_at)`;

/** Disk use of runs and repositories, as an engine measured it, and which of them are old. */
export function storageStore({ writer, reader }: Dialect, appender: EntryAppender, now: Now) {
  /** Ended runs of an organization with their sizes, and the total of each and all younger ones. */
  const sized = (organizationId: number) =>
    reader
      .selectFrom("runs")
      .leftJoin("disk_usage as own", (join) => join.onRef("own.object_id", "=", "runs.id").on("own.kind", "=", "run"))
      .leftJoin("disk_usage as files", (join) =>
        join.onRef("files.object_id", "=", "runs.id").on("files.kind", "=", "files"),
      )
      .where("runs.organization_id", "=", organizationId)
      .where("runs.status", "in", endStatuses)
      .select(["runs.id", "runs.left_out"])
      .select((eb) => [
        endedAt.as("ended_at"),
        eb.fn.coalesce("own.bytes", sql.lit(0)).as("run_bytes"),
        eb.fn.coalesce("files.bytes", sql.lit(0)).as("file_bytes"),
        sql<number>`sum(coalesce(own.bytes, 0)) over (order by ${endedAt} desc, runs.id desc)`.as("with_younger"),
      ]);
  const old = (organizationId: number, { runsBefore, runBytesMax }: RetentionLimits) =>
    reader
      .selectFrom(sized(organizationId).as("sized"))
      .where((eb) =>
        eb.or([
          ...(runsBefore === null ? [] : [eb("ended_at", "<", runsBefore)]),
          ...(runBytesMax === null ? [] : [eb("with_younger", ">", runBytesMax)]),
        ]),
      );
  const withFiles = (organizationId: number, { filesBefore, filesLeftOutBefore }: RetentionLimits) =>
    reader
      .selectFrom(sized(organizationId).as("sized"))
      .where("file_bytes", ">", 0)
      .where("ended_at", "<", filesBefore ?? 0)
      .where((eb) => eb.or([eb("left_out", "=", 0), eb("ended_at", "<", filesLeftOutBefore ?? 0)]));
  const figures = sql<number>`count(*)`.as("count");

  return {
    /** Ended runs that have not been measured since their end, oldest first. */
    async listUnmeasured(limit: number): Promise<UnmeasuredRun[]> {
      const rows = await reader
        .selectFrom("runs")
        .leftJoin("disk_usage", (join) =>
          join.onRef("disk_usage.object_id", "=", "runs.id").on("disk_usage.kind", "=", "run"),
        )
        .select(["runs.id", "runs.repository_id", "runs.total_logs"])
        .where("runs.status", "in", endStatuses)
        .where((eb) =>
          eb.or([
            eb("disk_usage.measured_at", "is", null),
            eb("disk_usage.measured_at", "<", eb.ref("runs.finished_at")),
          ]),
        )
        .orderBy("runs.id")
        .limit(limit)
        .execute();
      return rows.map(({ id, repository_id, total_logs }) => ({
        runId: id,
        repositoryId: repository_id,
        totalLogs: total_logs,
      }));
    },

    /** Bytes of a run's entries from seq `first` to `last`. */
    async countEntryBytes(runId: number, first: number, last: number): Promise<number> {
      const { bytes } = await reader
        .selectFrom("entries")
        .select(sql<number>`coalesce(sum(octet_length(body)), 0)`.as("bytes"))
        .where("id", ">=", entryId(runId, first))
        .where("id", "<=", entryId(runId, last))
        .executeTakeFirstOrThrow();
      return bytes;
    },

    /** Bytes of a run's prompts, images, text files and diff, and of its Claude Code session's lines and telemetry. */
    async countTurnBytes(runId: number): Promise<number> {
      const { bytes } = await reader
        .selectFrom("turns")
        .select(
          sql<number>`coalesce(sum(octet_length(prompt) + octet_length(images) + iif(attachments = '[]', 0, octet_length(attachments))), 0)`.as(
            "bytes",
          ),
        )
        .where("run_id", "=", runId)
        .executeTakeFirstOrThrow();
      const diff = await reader
        .selectFrom("run_diffs")
        .select(sql<number>`octet_length(diff)`.as("bytes"))
        .where("run_id", "=", runId)
        .executeTakeFirst();
      const session = await reader
        .selectFrom("claude_sessions")
        .select(["id", "organization_id", "user_id", "session_id"])
        .where("run_id", "=", runId)
        .executeTakeFirst();
      return bytes + (diff?.bytes ?? 0) + (session === undefined ? 0 : await countSessionBytes(reader, session));
    },

    /** Stores sizes; those of what was deleted meanwhile are dropped. */
    putSizes(sizes: readonly { kind: SizeKind; id: number; bytes: number }[]): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        for (const { kind, id, bytes } of sizes) {
          const table = kind === "mirror" ? "repositories" : "runs";
          const owner = await trx.selectFrom(table).select("organization_id").where("id", "=", id).executeTakeFirst();
          if (owner === undefined) continue;
          const found = { bytes, measured_at: now() };
          await trx
            .insertInto("disk_usage")
            .values({ kind, object_id: id, organization_id: owner.organization_id, ...found })
            .onConflict((conflict) => conflict.columns(["kind", "object_id", "machine_id"]).doUpdateSet(found))
            .execute();
        }
      });
    },

    /**
     * Records that the files of an ended run were removed. If they contained work that is in no branch, or may have, because its
     * last turn was cut off, the entry says so in the run.
     */
    noteFilesRemoved(runId: number, entry: NewEntry): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        await trx
          .updateTable("disk_usage")
          .set({ bytes: 0, measured_at: now() })
          .where("kind", "=", "files")
          .where("object_id", "=", runId)
          .execute();
        const lost = await trx
          .updateTable("runs")
          .set({ left_out: 0 })
          .where("id", "=", runId)
          .where("status", "in", endStatuses)
          .where(({ eb, or }) => or([eb("left_out", ">", 0), eb("status", "=", "interrupted")]))
          .executeTakeFirstOrThrow();
        if (lost.numUpdatedRows > 0) await appender.append(trx, runId, writeEntries([entry]));
      });
    },

    async listRepositoryIds(): Promise<number[]> {
      return (await reader.selectFrom("repositories").select("id").orderBy("id").execute()).map(({ id }) => id);
    },

    /** Every organization with its retention settings. */
    async listPolicies(): Promise<
      {
        organizationId: number;
        keepRunsDays: number | null;
        keepRunsGb: number | null;
        keepCheckoutsDays: number | null;
      }[]
    > {
      const rows = await reader.selectFrom("organizations").select(["id", "name", "settings"]).orderBy("id").execute();
      return rows.map((row) => {
        const { keepRunsDays, keepRunsGb, keepCheckoutsDays } = settingsRow(row);
        return { organizationId: row.id, keepRunsDays, keepRunsGb, keepCheckoutsDays };
      });
    },

    /** Runs that the rules delete, oldest first. */
    async listOldRuns(organizationId: number, rules: RetentionLimits, limit: number): Promise<number[]> {
      const rows = old(organizationId, rules).select("id").orderBy("ended_at").orderBy("id").limit(limit);
      return (await rows.execute()).map(({ id }) => id);
    },

    /** Runs whose files the rules remove, oldest first. */
    async listOldFiles(organizationId: number, rules: RetentionLimits, limit: number): Promise<number[]> {
      const rows = withFiles(organizationId, rules).select("id").orderBy("ended_at").limit(limit);
      return (await rows.execute()).map(({ id }) => id);
    },

    async preview({ organizationId }: Access, rules: RetentionLimits): Promise<RetentionPreview> {
      const runs = await old(organizationId, rules)
        .select([figures, sql<number>`coalesce(sum(run_bytes + file_bytes), 0)`.as("bytes")])
        .executeTakeFirstOrThrow();
      const files = await withFiles(organizationId, rules)
        .select([figures, sql<number>`coalesce(sum(file_bytes), 0)`.as("bytes")])
        .executeTakeFirstOrThrow();
      return { runs: runs.count, runBytes: runs.bytes, files: files.count, fileBytes: files.bytes };
    },

    /** By repository, largest first; `measuredAt`: time of the last measurement. */
    async listUse({ organizationId }: Access): Promise<{ measuredAt: string | null; repositories: RepositoryUse[] }> {
      const runs = await reader
        .selectFrom("runs")
        .leftJoin("disk_usage as own", (join) => join.onRef("own.object_id", "=", "runs.id").on("own.kind", "=", "run"))
        .leftJoin("disk_usage as files", (join) =>
          join.onRef("files.object_id", "=", "runs.id").on("files.kind", "=", "files"),
        )
        .where("runs.organization_id", "=", organizationId)
        .groupBy("runs.repository_id")
        .select(["runs.repository_id"])
        .select([
          figures,
          sql<number>`coalesce(sum(own.bytes), 0)`.as("run_bytes"),
          sql<number>`coalesce(sum(files.bytes), 0)`.as("file_bytes"),
        ])
        .execute();
      const repositories = await reader
        .selectFrom("repositories")
        .leftJoin("disk_usage", (join) =>
          join.onRef("disk_usage.object_id", "=", "repositories.id").on("disk_usage.kind", "=", "mirror"),
        )
        .where("repositories.organization_id", "=", organizationId)
        .select(["repositories.id", "repositories.full_name", "disk_usage.bytes"])
        .select(
          sql<number>`(
            select coalesce(sum(prepared.bytes), 0) from prepared
            where prepared.repository_id = repositories.id and prepared.state = 'ready')`.as("prepared_bytes"),
        )
        .execute();
      const { at } = await reader
        .selectFrom("disk_usage")
        .where("organization_id", "=", organizationId)
        .select(({ fn }) => fn.max("measured_at").as("at"))
        .executeTakeFirstOrThrow();
      const ofRuns = new Map(runs.map((row) => [row.repository_id, row]));
      const none = { id: null, full_name: null, bytes: 0, prepared_bytes: 0 };
      const all = [...repositories, ...(ofRuns.has(null) ? [none] : [])].map((row): RepositoryUse => {
        const own = ofRuns.get(row.id);
        return {
          repositoryId: row.id,
          fullName: row.full_name,
          runs: own?.count ?? 0,
          runBytes: own?.run_bytes ?? 0,
          fileBytes: own?.file_bytes ?? 0,
          mirrorBytes: row.bytes ?? 0,
          preparedBytes: row.prepared_bytes,
        };
      });
      const total = (use: RepositoryUse) => use.runBytes + use.fileBytes + use.mirrorBytes + use.preparedBytes;
      return {
        measuredAt: instantOrNull(at),
        repositories: all.sort((one, other) => total(other) - total(one)),
      };
    },
  };
}
