import { sql, type Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * How long a reply claimed by a dead engine is left alone: its request may still be in flight, and a host that is asked too soon
 * does not know the reply yet, so it would be posted twice. A live engine waits just as long: 10 s for a response, and 5 s before
 * it retries.
 */
export const underWayMs = 15_000;

/**
 * Makes tasks that a dead engine had claimed due again; those postponed because of a host stay postponed. Nobody waits any more
 * for a sign-in that it had begun: that has failed.
 */
export async function freeClaims(trx: Transaction<Schema>, nowMs: number): Promise<void> {
  await trx
    .updateTable("host_events")
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
  await trx.updateTable("host_tasks").set({ lease_expires_at: null }).execute();
  const error = "Errand was restarted before the sign-in ended.";
  await trx.updateTable("agent_sign_ins").set({ state: "failed", error }).where("state", "=", "running").execute();
}
