import type { Kysely, Transaction, Updateable } from "kysely";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Schema } from "#lib/store/schema.ts";
import { type Lease, LeaseLostError } from "./queue-store.ts";

/** Statuses in which a run may have a lease: an evaluating run has one only while its checks are run. */
export const liveStatuses = ["running", "waiting", "evaluating"] as const satisfies RunStatus[];

/** Changes columns of a run under its lease, in one statement. Throws {@link LeaseLostError}. */
export async function updateLeased(
  database: Kysely<Schema>,
  lease: Lease,
  changes: Omit<Updateable<Schema["runs"]>, "id" | "status" | "lease_epoch">,
): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable("runs")
    // Sets the epoch to itself: even an empty change is a statement that checks the lease.
    .set({ ...changes, lease_epoch: lease.epoch })
    .where("id", "=", lease.runId)
    .where("lease_epoch", "=", lease.epoch)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new LeaseLostError(lease);
}

/** Checks the lease for the rest of the transaction. Throws {@link LeaseLostError}. */
export async function requireLease(
  trx: Transaction<Schema>,
  lease: Lease,
): Promise<{ status: (typeof liveStatuses)[number]; cancelWanted: boolean }> {
  const run = await trx
    .selectFrom("runs")
    .select(["status", "cancel_requested_at"])
    .where("id", "=", lease.runId)
    .where("lease_epoch", "=", lease.epoch)
    .executeTakeFirst();
  const status = liveStatuses.find((live) => live === run?.status);
  if (run === undefined || status === undefined) throw new LeaseLostError(lease);
  return { status, cancelWanted: run.cancel_requested_at !== null };
}
