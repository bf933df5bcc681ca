import type { Transaction, Updateable } from "kysely";
import { isEnd, type RunStatus, statusesBefore } from "#lib/contract/run-status.ts";
import { noteWait } from "./run-times.ts";
import type { Schema } from "./schema.ts";

type RunChanges = Omit<Updateable<Schema["runs"]>, "id" | "status">;

/**
 * The one way in which a run's status changes: as the contract's transition table allows, together with what the status
 * implies (a lease only while it is live, a question only while it waits, an end only when it has ended). Throws where the run
 * is in no status from which `to` can be reached.
 */
export async function changeStatus(
  trx: Transaction<Schema>,
  runId: number,
  to: RunStatus,
  nowMs: number,
  changes: RunChanges = {},
): Promise<void> {
  const done = await trx
    .updateTable("runs")
    .set({ ...impliedBy(to, nowMs), ...changes, status: to })
    .where("id", "=", runId)
    .where("status", "in", statusesBefore(to))
    .executeTakeFirst();
  if (done.numUpdatedRows === 1n) return noteWait(trx, runId, to, nowMs);
  const run = await trx.selectFrom("runs").select("status").where("id", "=", runId).executeTakeFirst();
  throw new Error(`Run ${runId} cannot go from ${run?.status ?? "nothing"} to ${to}`);
}

const noQuestion = { question: null, answer: null };
const noLease = { ...noQuestion, lease_engine: null, lease_expires_at: null, cancel_requested_at: null };

function impliedBy(status: RunStatus, nowMs: number): RunChanges {
  if (isEnd(status)) return { ...noLease, finished_at: nowMs };
  switch (status) {
    case "queued":
      return { ...noLease, queued_at: nowMs, finished_at: null };
    case "running":
    case "evaluating":
      return noQuestion;
    case "waiting":
      return { answer: null };
  }
}
