import { sql, type Transaction } from "kysely";
import type { EndStatus, RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Access } from "./access.ts";

/**
 * When a run was worked on and when it waited for a person, as the service observed it; oldest first. `to` null: it still is.
 */
export type RunTimes = {
  turns: { number: number; from: string; to: string | null; status: EndStatus | null }[];
  waits: { from: string; to: string | null }[];
};

/** Times of a run of the organization: its newest turns and longest waits, up to the limit; empty for other runs. */
export type FindRunTimes = (access: Access, runId: number, most: number) => Promise<RunTimes>;

/** Reads {@link RunTimes}. */
export function runTimesReader({ reader }: Dialect): FindRunTimes {
  return async ({ organizationId }, runId, most) => {
    const turns = await reader
      .selectFrom("turns")
      .innerJoin("runs", "runs.id", "turns.run_id")
      .select(["turns.number", "turns.started_at", "turns.finished_at", "turns.end_status"])
      .where("turns.run_id", "=", runId)
      .where("runs.organization_id", "=", organizationId)
      .where("turns.started_at", "is not", null)
      .orderBy("turns.started_at", "desc")
      .orderBy("turns.number", "desc")
      .limit(most)
      .execute();
    const waits = await reader
      .selectFrom("run_waits")
      .innerJoin("runs", "runs.id", "run_waits.run_id")
      .select(["run_waits.started_at", "run_waits.ended_at"])
      .where("run_waits.run_id", "=", runId)
      .where("runs.organization_id", "=", organizationId)
      .orderBy(sql`coalesce(run_waits.ended_at, 9007199254740991) - run_waits.started_at`, "desc")
      .limit(most)
      .execute();
    return {
      turns: turns.reverse().map(({ number, started_at, finished_at, end_status }) => ({
        number,
        from: instantOf(started_at ?? 0),
        to: instantOrNull(finished_at),
        status: end_status,
      })),
      waits: waits
        .sort((one, other) => one.started_at - other.started_at)
        .map(({ started_at, ended_at }) => ({ from: instantOf(started_at), to: instantOrNull(ended_at) })),
    };
  };
}

/** Records that a run starts to wait or, with any other status, that it no longer does. */
export async function noteWait(
  trx: Transaction<Schema>,
  runId: number,
  status: RunStatus,
  nowMs: number,
): Promise<void> {
  if (status !== "waiting") {
    await trx
      .updateTable("run_waits")
      .set({ ended_at: nowMs })
      .where("run_id", "=", runId)
      .where("ended_at", "is", null)
      .execute();
    return;
  }
  await trx
    .insertInto("run_waits")
    .values({ run_id: runId, started_at: nowMs })
    // Two questions within a millisecond are one wait.
    .onConflict((conflict) => conflict.columns(["run_id", "started_at"]).doUpdateSet({ ended_at: null }))
    .execute();
}
