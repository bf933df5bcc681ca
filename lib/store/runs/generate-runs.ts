import { type Kysely, sql } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Access } from "./access.ts";
import { insertRun } from "./insert-run.ts";
import type { RunRow } from "./run-rows.ts";
import { readRun } from "./run-rows.ts";
import type { NewRun } from "./run-store.ts";

/** Runs that find a repository's setup commands. */
export function generateRunStore({ writer, reader }: Dialect, now: Now, queueMax: number) {
  return {
    /**
     * Queues a run that finds its repository's setup commands; one at a time per repository. Refused with the id of the one in
     * progress, queued or waiting. Throws if the repository does not belong to the organization.
     */
    create(
      access: Access,
      run: NewRun & { sourceType: "SETUP_COMMANDS"; repositoryId: number },
    ): Promise<{ run: RunRow } | { refused: "busy"; runId: number }> {
      return writer.transaction().execute(async (trx) => {
        const busy = await atWork(trx, access.organizationId, run.repositoryId).executeTakeFirst();
        if (busy !== undefined) return { refused: "busy", runId: busy.id };
        return { run: await readRun(trx, await insertRun(trx, access, run, now(), queueMax)) };
      });
    },

    /** Id of another generate run in progress in the repository of generate run `runId`; null if it is not a generate run. */
    async findRival({ organizationId }: Access, runId: number): Promise<number | null> {
      const own = await reader
        .selectFrom("runs")
        .select("repository_id")
        .where("id", "=", runId)
        .where("organization_id", "=", organizationId)
        .where("source_type", "=", generated)
        .executeTakeFirst();
      if (own === undefined || own.repository_id === null) return null;
      const rival = await atWork(reader, organizationId, own.repository_id).where("id", "!=", runId).executeTakeFirst();
      return rival?.id ?? null;
    },
  };
}

// Literals, so that the index of generate runs is used.
const generated = sql.lit("SETUP_COMMANDS" as const);
const live = (["queued", "running", "waiting", "evaluating"] as const).map((status) => sql.lit(status));

function atWork(database: Kysely<Schema>, organizationId: number, repositoryId: number) {
  return database
    .selectFrom("runs")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("organization_id", "=", organizationId)
    .where("source_type", "=", generated)
    .where("status", "in", live)
    .orderBy("id")
    .limit(sql.lit(1));
}
