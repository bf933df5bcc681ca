import type { Transaction } from "kysely";
import type { Schema } from "#lib/store/schema.ts";

/** Answer of a turn. Fields that are not given stay as they are. */
export type TurnAnswer = { result?: string | null; summary?: string | null };

/**
 * Stores a turn's answer and makes it the run's. If a turn has no answer (both null), the run keeps its answer; if that was
 * this turn's, it gets the last one before it.
 */
export async function keepAnswer(
  trx: Transaction<Schema>,
  runId: number,
  number: number,
  answer: TurnAnswer,
): Promise<void> {
  const { result_turn, total_logs } = await trx
    .selectFrom("runs")
    .select(["result_turn", "total_logs"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const kept = await trx
    .updateTable("turns")
    .set({ ...answer, result_seq: total_logs })
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .returning(["number", "result", "summary", "result_seq"])
    .executeTakeFirstOrThrow();
  const isAnswer = kept.result !== null || kept.summary !== null;
  if (!isAnswer && result_turn !== number) return;
  const shown = isAnswer ? kept : await lastAnswer(trx, runId);
  await trx
    .updateTable("runs")
    .set({
      result: shown?.result ?? null,
      summary: shown?.summary ?? null,
      result_turn: shown?.number ?? null,
      result_seq: shown?.result_seq ?? null,
    })
    .where("id", "=", runId)
    .execute();
}

function lastAnswer(trx: Transaction<Schema>, runId: number) {
  return trx
    .selectFrom("turns")
    .select(["number", "result", "summary", "result_seq"])
    .where("run_id", "=", runId)
    .where((eb) => eb.or([eb("result", "is not", null), eb("summary", "is not", null)]))
    .orderBy("result_seq", "desc")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}
