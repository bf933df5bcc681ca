import { sql, type Transaction } from "kysely";
import { z } from "zod";
import type { EndStatus } from "#lib/contract/run-status.ts";
import type { Schema } from "./schema.ts";
import type { NewTurn, TurnRow } from "./store.ts";

const Images = z.array(z.string());

/**
 * Puts a turn at the end of those that wait, and counts it. A turn that names no model asks for the one that the turn
 * before asked for: what the run shows as its model is what the agent reported, and agents need not accept that name.
 */
export async function addWaitingTurn(
  trx: Transaction<Schema>,
  runId: number,
  { prompt, images, model }: NewTurn,
  userId: number | null,
  nowMs: number,
): Promise<void> {
  const { turns } = await trx
    .updateTable("runs")
    .set({ turns: sql<number>`turns + 1` })
    .where("id", "=", runId)
    .returning("turns")
    .executeTakeFirstOrThrow();
  const asked = model ?? (await findModel(trx, runId, turns - 1));
  await trx
    .insertInto("turns")
    .values({
      run_id: runId,
      number: turns,
      user_id: userId,
      state: "waiting",
      created_at: nowMs,
      model: asked,
      prompt,
      images: JSON.stringify(images),
    })
    .execute();
}

async function findModel(trx: Transaction<Schema>, runId: number, number: number): Promise<string | null> {
  const turn = await trx
    .selectFrom("turns")
    .select("model")
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .executeTakeFirst();
  return turn?.model ?? null;
}

/** Makes the oldest waiting turn the active one; null where none waits. */
export async function startNextTurn(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<TurnRow | null> {
  const next = await trx
    .selectFrom("turns")
    .select(["number", "prompt", "images", "model"])
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .orderBy("number")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return null;
  await trx
    .updateTable("turns")
    .set({ state: "active", started_at: nowMs })
    .where("run_id", "=", runId)
    .where("number", "=", next.number)
    .execute();
  return {
    number: next.number,
    prompt: next.prompt,
    images: Images.parse(JSON.parse(next.images)),
    model: next.model,
  };
}

/** Marks the active turn, or all that wait (they are dropped), as done. Gives how many there were. */
export async function endTurns(
  trx: Transaction<Schema>,
  runId: number,
  state: "active" | "waiting",
  endStatus: EndStatus,
  nowMs: number,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("turns")
    .set({ state: "done", end_status: endStatus, finished_at: nowMs })
    .where("run_id", "=", runId)
    .where("state", "=", state)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** True where the run has a turn that waits. */
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
