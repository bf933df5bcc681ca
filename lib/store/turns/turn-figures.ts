import type { Transaction } from "kysely";
import { Tokens } from "#lib/contract/runs/run.ts";
import type { Schema } from "#lib/store/schema.ts";

/**
 * Writes what the turn that started last used: the run's totals without those of its other turns; null if its agent reported
 * nothing. Agents report totals of a run, and terminals some of them after the turn's end.
 */
export async function keepTurnFigures(trx: Transaction<Schema>, runId: number): Promise<void> {
  const [turn, ...others] = await trx
    .selectFrom("turns")
    .select(["number", "tokens", "cost_usd"])
    .where("run_id", "=", runId)
    .where("started_at", "is not", null)
    .orderBy("started_at", "desc")
    .orderBy("number", "desc")
    .execute();
  if (turn === undefined) return;
  const run = await trx
    .selectFrom("runs")
    .select(["agent", "model as used_model", "tokens", "cost_usd"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const { agent, used_model } = run;
  // Sums of binary fractions get stray last digits.
  const cost = others.reduce((left, { cost_usd }) => left - (cost_usd ?? 0), run.cost_usd ?? 0).toFixed(6);
  const tokens = others.reduce((left, other) => without(left, tokensOf(other.tokens)), tokensOf(run.tokens));
  await trx
    .updateTable("turns")
    .set({
      agent,
      used_model,
      cost_usd: Number(cost) > 0 ? Number(cost) : null,
      tokens: tokens !== null && tokens.total > 0 ? JSON.stringify(tokens) : null,
    })
    .where("run_id", "=", runId)
    .where("number", "=", turn.number)
    .execute();
}

function without(all: Tokens | null, some: Tokens | null): Tokens | null {
  if (all === null || some === null) return all;
  return { input: all.input - some.input, output: all.output - some.output, total: all.total - some.total };
}

/** Null also for figures that are no whole numbers, which an earlier version took from agents: the run stays visible. */
export function tokensOf(column: string | null): Tokens | null {
  if (column === null) return null;
  const parsed = Tokens.safeParse(JSON.parse(column));
  return parsed.success ? parsed.data : null;
}
