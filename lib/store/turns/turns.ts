import { sql, type Transaction } from "kysely";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import type { NewTurn, TurnRow } from "#lib/store/runs/run-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { keepTurnFigures } from "./turn-figures.ts";
import { fileColumns, messageColumns, turnRow } from "./turn-rows.ts";

/** States of a turn that has not started. Literals, so that the index of such turns is used. */
export const queuedStates = [sql.lit("waiting" as const), sql.lit("held" as const)];

/**
 * Adds a turn behind the waiting ones, and counts it. A turn that names no model requests that of the turn before: the model a
 * run shows is the one the agent reported, and agents need not accept that name.
 */
export async function addWaitingTurn(
  trx: Transaction<Schema>,
  runId: number,
  { prompt, images, attachments = [], model }: NewTurn,
  userId: number | null,
  nowMs: number,
  atNextStep = false,
): Promise<void> {
  await trx.updateTable("runs").set({ turns: sql<number>`turns + 1` }).where("id", "=", runId).execute();
  await trx
    .insertInto("turns")
    .values({
      run_id: runId,
      number: (await lastNumber(trx, runId)) + 1,
      user_id: userId,
      state: "waiting",
      created_at: nowMs,
      model: model ?? (await lastModel(trx, runId)),
      prompt,
      images: "[]",
      ...fileColumns({ images, attachments }),
      steering: atNextStep ? 1 : 0,
    })
    .execute();
}

async function lastNumber(trx: Transaction<Schema>, runId: number): Promise<number> {
  const last = await trx
    .selectFrom("turns")
    .select("number")
    .where("run_id", "=", runId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.number ?? 0;
}

/** The model requested by the last turn. A withdrawn one counts only if there is no other. */
async function lastModel(trx: Transaction<Schema>, runId: number): Promise<string | null> {
  const turn = await trx
    .selectFrom("turns")
    .select("model")
    .where("run_id", "=", runId)
    .orderBy(sql`state = 'withdrawn'`)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return turn?.model ?? null;
}

/** Activates the waiting turn with the lowest number; null if none waits. */
export async function startNextTurn(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<TurnRow | null> {
  const next = await trx
    .selectFrom("turns")
    .select(messageColumns)
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .orderBy("number")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return null;
  await trx
    .updateTable("turns")
    .set({ state: "active", started_at: nowMs, steering: 0 })
    .where("run_id", "=", runId)
    .where("number", "=", next.number)
    .execute();
  return turnRow(next);
}

/** The newest turn that has begun; null if none has. */
export async function lastTurn(trx: Transaction<Schema>, runId: number): Promise<TurnRow | null> {
  const last = await trx
    .selectFrom("turns")
    .select(messageColumns)
    .where("run_id", "=", runId)
    .where("state", "in", ["active", "done"])
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? null : turnRow(last);
}

/** Number of the active turn; for an external run, which may have several, the newest. Throws if there is none. */
export async function activeTurn(trx: Transaction<Schema>, runId: number): Promise<number> {
  const { number } = await trx
    .selectFrom("turns")
    .select("number")
    .where("run_id", "=", runId)
    .where("state", "=", "active")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return number;
}

/** Marks the active turn as done; for an external run, which may have several, all of them. */
export async function endActiveTurns(
  trx: Transaction<Schema>,
  runId: number,
  endStatus: EndStatus,
  nowMs: number,
): Promise<void> {
  await keepTurnFigures(trx, runId);
  await trx
    .updateTable("turns")
    .set({ state: "done", end_status: endStatus, finished_at: nowMs })
    .where("run_id", "=", runId)
    .where("state", "=", "active")
    .execute();
}

/** Continues the ended turn with the highest number as if it had not ended. */
export async function reopenLastTurn(trx: Transaction<Schema>, runId: number): Promise<void> {
  const last = trx
    .selectFrom("turns")
    .select("number")
    .where("run_id", "=", runId)
    .where("state", "=", "done")
    .orderBy("number", "desc")
    .limit(1);
  await trx
    .updateTable("turns")
    .set({ state: "active", end_status: null, finished_at: null })
    .where("run_id", "=", runId)
    .where("number", "=", last)
    .execute();
}

/** Holds the waiting turns: they start only when somebody sends them. One on its way to the agent is not held yet. */
export async function holdWaitingTurns(trx: Transaction<Schema>, runId: number): Promise<void> {
  await changeState(trx, runId, "waiting", "held");
}

/** Holds one waiting turn. One on its way to the agent is settled, or held when the turn at work ends. */
export async function holdTurn(trx: Transaction<Schema>, runId: number, number: number): Promise<void> {
  await trx
    .updateTable("turns")
    .set({ state: "held", steering: 0 })
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .where("state", "=", "waiting")
    .where("steering", "!=", 2)
    .execute();
}

/** Releases the held turns. Returns how many there were. */
export function releaseHeldTurns(trx: Transaction<Schema>, runId: number): Promise<number> {
  return changeState(trx, runId, "held", "waiting");
}

async function changeState(
  trx: Transaction<Schema>,
  runId: number,
  from: "waiting" | "held",
  to: "waiting" | "held",
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("turns")
    .set({ state: to, steering: 0 })
    .where("run_id", "=", runId)
    .where("state", "=", from)
    .where("steering", "!=", 2)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** True if the run has a waiting turn. */
export async function hasWaitingTurn(trx: Transaction<Schema>, runId: number): Promise<boolean> {
  const turn = await trx
    .selectFrom("turns")
    .select("number")
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .limit(1)
    .executeTakeFirst();
  return turn !== undefined;
}
