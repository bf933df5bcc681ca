import type { Transaction } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { entryId, seqMax } from "#lib/store/entries/entry-id.ts";
import { endStage, watchEnded } from "#lib/store/pulls/pull-stage.ts";
import type { Schema } from "#lib/store/schema.ts";
import { endSteering } from "#lib/store/turns/steering.ts";
import { endActiveTurns, hasWaitingTurn, holdWaitingTurns } from "#lib/store/turns/turns.ts";
import { linkAnalyses } from "./analysis-runs.ts";
import { changeStatus } from "./change-status.ts";
import { engineDiedEntries } from "./engine-died.ts";

/**
 * Ends leases that expire at or before `until`, and their runs; an evaluating run only loses its lease. Returns the ids of the
 * ended runs.
 */
export async function endExpired(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  until: number,
  nowMs: number,
): Promise<number[]> {
  const runs = await trx
    .selectFrom("runs")
    .select(["id", "status", "cancel_requested_at"])
    .where("lease_expires_at", "<=", until)
    .orderBy("id")
    .execute();
  for (const { id, status, cancel_requested_at } of runs) {
    if (status === "evaluating") {
      await endChecks(trx, id);
      continue;
    }
    await appender.append(trx, id, writeEntries(await closingEntries(trx, id, nowMs)));
    await endTurn(trx, id, "interrupted", nowMs);
    await endRun(trx, appender, id, "interrupted", cancel_requested_at !== null, nowMs);
  }
  return runs.filter(({ status }) => status !== "evaluating").map(({ id }) => id);
}

/** The repository's own checks were at work, so they begin again. */
async function endChecks(trx: Transaction<Schema>, runId: number): Promise<void> {
  await trx
    .updateTable("runs")
    .set(({ eb }) => ({ lease_engine: null, lease_expires_at: null, lease_epoch: eb("lease_epoch", "+", 1) }))
    .where("id", "=", runId)
    .execute();
  await trx.deleteFrom("run_progress").where("run_id", "=", runId).execute();
}

/** Ends the active turn and clears its progress. */
export async function endTurn(
  trx: Transaction<Schema>,
  runId: number,
  status: EndStatus,
  nowMs: number,
): Promise<void> {
  await endActiveTurns(trx, runId, status, nowMs);
  await endSteering(trx, runId);
  await trx.deleteFrom("run_progress").where("run_id", "=", runId).execute();
}

/**
 * Ends the run and its lease, and holds the waiting turns. A cancel has already held them, so a turn that waits despite a
 * requested cancel was created after it: that is a resume, and the run is queued again at once.
 */
export async function endRun(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  runId: number,
  status: EndStatus,
  cancelWanted: boolean,
  nowMs: number,
): Promise<void> {
  if (status === "cancelled") await endStage(trx, runId, nowMs);
  else await watchEnded(trx, runId, nowMs);
  await changeStatus(trx, runId, status, nowMs);
  await linkAnalyses(trx, appender, runId, nowMs);
  if (!cancelWanted) await holdWaitingTurns(trx, runId);
  else if (await hasWaitingTurn(trx, runId)) await changeStatus(trx, runId, "queued", nowMs);
}

/** Closing entries of a run whose engine died: the step at work, cut short, and why. */
async function closingEntries(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<NewEntry[]> {
  const { progress } = (await trx
    .selectFrom("run_progress")
    .select("progress")
    .where("run_id", "=", runId)
    .executeTakeFirst()) ?? { progress: null };
  const last = await trx
    .selectFrom("entries")
    .select("created_at")
    .where("id", ">=", entryId(runId, 1))
    .where("id", "<=", entryId(runId, seqMax))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return engineDiedEntries(progress === null ? null : parseExactJson(progress), last?.created_at ?? null, nowMs);
}
