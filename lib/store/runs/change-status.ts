import type { Transaction, Updateable } from "kysely";
import { isEnd, type RunStatus, transitions } from "#lib/contract/runs/run-status.ts";
import type { Schema } from "#lib/store/schema.ts";
import { noteWebhookEvent } from "#lib/store/webhooks/webhook-events.ts";
import { noteWait } from "./run-times.ts";

type RunChanges = Omit<Updateable<Schema["runs"]>, "id" | "status">;

/**
 * The only way to change a run's status: as the contract's transition table allows, together with what the status implies (a
 * lease only while live, a question only while waiting, an end only once ended) and its webhook events, which contain the run as it
 * is then: write all other changes first. Throws if `to` cannot be reached from the run's status.
 */
export async function changeStatus(
  trx: Transaction<Schema>,
  runId: number,
  to: RunStatus,
  nowMs: number,
  changes: RunChanges = {},
): Promise<void> {
  const before = await trx.selectFrom("runs").select("status").where("id", "=", runId).executeTakeFirst();
  const from = before?.status;
  if (from === undefined || !transitions[from].includes(to)) {
    throw new Error(`Run ${runId} cannot go from ${from ?? "nothing"} to ${to}`);
  }
  const done = await trx
    .updateTable("runs")
    .set({ ...impliedBy(to, nowMs), ...changes, status: to })
    .where("id", "=", runId)
    .where("status", "=", from)
    .executeTakeFirst();
  if (done.numUpdatedRows !== 1n) throw new Error(`Run ${runId} is ${from} no more`);
  await noteWait(trx, runId, to, nowMs);
  await noteWebhookEvent(trx, runId, { from, to }, nowMs);
}

const noQuestion = { question: null, answer: null };
const noLease = { ...noQuestion, lease_engine: null, lease_expires_at: null, cancel_requested_at: null };

function impliedBy(status: RunStatus, nowMs: number): RunChanges {
  if (isEnd(status)) return { ...noLease, finished_at: nowMs };
  switch (status) {
    case "queued":
      return { ...noLease, queued_at: nowMs, finished_at: null };
    case "running":
      return noQuestion;
    case "evaluating":
      return { ...noLease, finished_at: null };
    case "waiting":
      return { answer: null };
  }
}
