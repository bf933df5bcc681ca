import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "./access.ts";

/** A finished analysis: JSON text, with the versions it is based on. */
export type StoredAnalysis = { totalLogs: number; version: number; status: RunStatus; body: string };

/** Analyses of runs that have ended. */
export function analysisStore({ reader, writer }: Dialect) {
  return {
    /** The stored analysis of a run; null if there is none, or the run is not visible. */
    async find({ organizationId }: Access, runId: number): Promise<StoredAnalysis | null> {
      const row = await reader
        .selectFrom("analyses")
        .innerJoin("runs", "runs.id", "analyses.run_id")
        .select(["analyses.total_logs", "analyses.version", "analyses.status", "analyses.body"])
        .where("analyses.run_id", "=", runId)
        .where("runs.organization_id", "=", organizationId)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { totalLogs: row.total_logs, version: row.version, status: row.status, body: row.body };
    },

    /** Stores it in place of an earlier one; does nothing if the run is not visible. */
    keep(
      { organizationId }: Access,
      runId: number,
      { totalLogs, version, status, body }: StoredAnalysis,
    ): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .select("id")
          .where("id", "=", runId)
          .where("organization_id", "=", organizationId)
          .executeTakeFirst();
        if (run === undefined) return;
        const row = { total_logs: totalLogs, version, status, body };
        await trx
          .insertInto("analyses")
          .values({ run_id: runId, ...row })
          .onConflict((conflict) => conflict.column("run_id").doUpdateSet(row))
          .execute();
      });
    },
  };
}
