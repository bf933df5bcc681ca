import { sql, type Transaction } from "kysely";
import type { TurnRow } from "#lib/store/runs/run-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { messageColumns, turnRow } from "./turn-rows.ts";

/** Takes the first message that waits for the agent's next step: it is now on its way. Null if there is none. */
export async function takeMessage(trx: Transaction<Schema>, runId: number): Promise<TurnRow | null> {
  const found = await trx
    .selectFrom("turns")
    .select(messageColumns)
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .where("steering", "=", 1)
    .orderBy("number")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return null;
  await onItsWay(trx, runId, found.number, { steering: 2 }, 1);
  return turnRow(found);
}

/** The message has reached the agent: it does not become a turn, and its number is not reused. */
export async function markSteered(
  trx: Transaction<Schema>,
  runId: number,
  number: number,
  nowMs: number,
): Promise<void> {
  await onItsWay(trx, runId, number, { state: "steered", steering: 0, finished_at: nowMs });
  await trx.updateTable("runs").set({ turns: sql<number>`turns - 1` }).where("id", "=", runId).execute();
}

/** The message has not reached the agent: it waits as a turn, or is held, also if its author was removed meanwhile. */
export async function returnMessage(
  trx: Transaction<Schema>,
  runId: number,
  number: number,
  isHeld: boolean,
): Promise<void> {
  const state = isHeld || (await isAuthorGone(trx, runId, number)) ? "held" : "waiting";
  await onItsWay(trx, runId, number, { state, steering: 0 });
}

/** The agent has refused a message that had reached it: like {@link returnMessage}. */
export async function returnSteered(
  trx: Transaction<Schema>,
  runId: number,
  number: number,
  isHeld: boolean,
): Promise<void> {
  const state = isHeld || (await isAuthorGone(trx, runId, number)) ? "held" : "waiting";
  const { numUpdatedRows } = await trx
    .updateTable("turns")
    .set({ state, finished_at: null })
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .where("state", "=", "steered")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`Message ${number} of run ${runId} has not reached the agent`);
  await trx.updateTable("runs").set({ turns: sql<number>`turns + 1` }).where("id", "=", runId).execute();
}

/** From now on no message reaches the agent. One that is still on its way is held: it may have reached the agent. */
export async function endSteering(trx: Transaction<Schema>, runId: number): Promise<void> {
  await trx.updateTable("runs").set({ steerable: 0 }).where("id", "=", runId).execute();
  await trx
    .updateTable("turns")
    .set({ state: "held", steering: 0 })
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .where("steering", "=", 2)
    .execute();
}

/** Whether the message is of a person who is no longer a member of the run's organization. */
async function isAuthorGone(trx: Transaction<Schema>, runId: number, number: number): Promise<boolean> {
  const gone = await trx
    .selectFrom("turns")
    .innerJoin("runs", "runs.id", "turns.run_id")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "runs.organization_id")
        .onRef("memberships.user_id", "=", "turns.user_id"),
    )
    .select("turns.number")
    .where("turns.run_id", "=", runId)
    .where("turns.number", "=", number)
    .where("turns.user_id", "is not", null)
    .where("memberships.user_id", "is", null)
    .executeTakeFirst();
  return gone !== undefined;
}

async function onItsWay(
  trx: Transaction<Schema>,
  runId: number,
  number: number,
  changes: Partial<Pick<Schema["turns"], "state" | "finished_at">> & { steering: 0 | 2 },
  steering: 1 | 2 = 2,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("turns")
    .set(changes)
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .where("state", "=", "waiting")
    .where("steering", "=", steering)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`Message ${number} of run ${runId} is not on its way to the agent`);
}
