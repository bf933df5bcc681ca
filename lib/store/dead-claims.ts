import { sql, type Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * How long a reply that a dead engine had claimed is left alone: its request may be under way, and a host that is asked too soon
 * does not know the reply yet, so that it would be posted twice. An engine that lives waits as long: 10 s for the answer to a
 * call, and 5 s before it tries again.
 */
export const underWayMs = 15_000;

/** Makes events and replies due that a dead engine had claimed; those that wait for a host wait on. */
export async function freeClaims(trx: Transaction<Schema>, nowMs: number): Promise<void> {
  await trx
    .updateTable("heard")
    .set({ due_at: nowMs, claimed: 0 })
    .where("state", "=", "waiting")
    .where("claimed", "=", 1)
    .execute();
  await trx
    .updateTable("replies")
    .set({ due_at: sql<number>`min(due_at, ${nowMs + underWayMs})` })
    .where("state", "=", "waiting")
    .where("claimed", "=", 1)
    .execute();
}
