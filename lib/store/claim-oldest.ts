import { sql, type Transaction } from "kysely";
import { externalAgent } from "#lib/contract/agent-ids.ts";
import { JsonObject } from "#lib/contract/text.ts";
import { changeStatus } from "./change-status.ts";
import { pauseStage } from "./pull-stage.ts";
import type { Claimed } from "./queue-store.ts";
import { readRun } from "./run-rows.ts";
import type { Schema } from "./schema.ts";
import { statement } from "./statement.ts";
import { startNextTurn } from "./turns.ts";

/** An evaluating run with a waiting turn is continued before any queued run starts. */
const continuable = sql<boolean>`runs.status = 'evaluating' and runs.agent != ${sql.lit(externalAgent)}
  and exists (select 1 from turns where turns.run_id = runs.id and turns.state = 'waiting')`;

/** Reads whether {@link claimOldest} would find a run. */
export const anyQueued = statement<Record<never, never>, { id: number }>(`
  select id from (select id from runs where status = 'queued' limit 1) union all
  select id from (
    select runs.id from runs where runs.status = 'evaluating' and runs.agent != '${externalAgent}'
    and exists (select 1 from turns where turns.run_id = runs.id and turns.state = 'waiting') limit 1
  )`);

/** Leases the run that has been queued longest and starts its next turn; null if none is queued. */
export async function claimOldest(
  trx: Transaction<Schema>,
  engineId: string,
  leaseMs: number,
  nowMs: number,
): Promise<Claimed | null> {
  const first = trx
    .selectFrom("runs")
    .leftJoin("repositories", "repositories.id", "runs.repository_id")
    .select(["runs.id", "runs.lease_epoch", "runs.started_at", "runs.agent_state", "repositories.source"])
    .orderBy("runs.queued_at")
    .orderBy("runs.id")
    .limit(1);
  const oldest =
    (await first.where(continuable).executeTakeFirst()) ??
    (await first.where("runs.status", "=", sql.lit("queued")).executeTakeFirst());
  if (oldest === undefined) return null;

  const epoch = oldest.lease_epoch + 1;
  const turn = await startNextTurn(trx, oldest.id, nowMs);
  if (turn === null) throw new Error(`Run ${oldest.id} is queued without a turn that waits`);
  await pauseStage(trx, oldest.id, turn.number);
  await changeStatus(trx, oldest.id, "running", nowMs, {
    lease_engine: engineId,
    lease_epoch: epoch,
    lease_expires_at: nowMs + leaseMs,
    started_at: oldest.started_at ?? nowMs,
  });
  return {
    lease: { runId: oldest.id, epoch },
    run: await readRun(trx, oldest.id),
    repositorySource: oldest.source,
    turn,
    agentState: oldest.agent_state === null ? null : JsonObject.parse(JSON.parse(oldest.agent_state)),
  };
}
