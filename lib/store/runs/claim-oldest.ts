import type { Selectable, Transaction } from "kysely";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { JsonObject } from "#lib/contract/text.ts";
import { claimOne } from "#lib/store/claim-one.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { pauseStage } from "#lib/store/pulls/pull-stage.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { startNextTurn } from "#lib/store/turns/turns.ts";
import { changeStatus } from "./change-status.ts";
import type { Claimed } from "./queue-store.ts";
import { readRun } from "./run-rows.ts";
import type { TurnRow } from "./run-store.ts";

/** What a claim needs of a run. */
export type ClaimableRun = Pick<Selectable<Schema["runs"]>, "id" | "lease_epoch" | "agent_state" | "started_at"> & {
  source: string | null;
};

/** An evaluating run with a waiting turn is continued before any queued run starts. */
const oldestQueued = statement<Record<never, never>, ClaimableRun>(`
  select runs.id, runs.lease_epoch, runs.agent_state, runs.started_at, repositories.source
  from runs left join repositories on repositories.id = runs.repository_id where runs.id = coalesce(
    (select id from runs as evaluated where status = 'evaluating' and agent != '${externalAgent}'
      and exists (select 1 from turns where turns.run_id = evaluated.id and turns.state = 'waiting')
      order by queued_at, id limit 1),
    (select id from runs where status = 'queued' order by queued_at, id limit 1)
  )`);

/** Leases the run that has been queued longest and starts its next turn; null if none is queued. */
export function claimOldest(
  dialect: Dialect,
  engineId: string,
  leaseMs: number,
  nowMs: number,
): Promise<Claimed | null> {
  return claimOne(dialect, oldestQueued, {}, async (trx, oldest) => {
    const turn = await startNextTurn(trx, oldest.id, nowMs);
    if (turn === null) throw new Error(`Run ${oldest.id} is queued without a turn that waits`);
    await pauseStage(trx, oldest.id, turn.number);
    await changeStatus(trx, oldest.id, "running", nowMs, {
      lease_engine: engineId,
      lease_epoch: oldest.lease_epoch + 1,
      lease_expires_at: nowMs + leaseMs,
      started_at: oldest.started_at ?? nowMs,
    });
    return claimedRun(trx, oldest, turn);
  });
}

/** A run that was claimed just now, for this turn or for what follows it. */
export async function claimedRun(
  trx: Transaction<Schema>,
  { id, lease_epoch, agent_state, source }: ClaimableRun,
  turn: TurnRow,
): Promise<Claimed> {
  return {
    lease: { runId: id, epoch: lease_epoch + 1 },
    run: await readRun(trx, id),
    repositorySource: source,
    turn,
    agentState: agent_state === null ? null : JsonObject.parse(JSON.parse(agent_state)),
  };
}
