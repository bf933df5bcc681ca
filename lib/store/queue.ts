import { type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import { externalAgent } from "#lib/contract/agent-ids.ts";
import type { EndStatus } from "#lib/contract/run-status.ts";
import { JsonObject } from "#lib/contract/text.ts";
import { noteSignIn } from "./agent-refusals.ts";
import { type EntryAppender, writeEntries } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import { freeClaims } from "./dead-claims.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";
import { liveStatuses, requireLease, updateLeased } from "./leased-run.ts";
import { beginEvaluation, pauseStage } from "./pull-stage.ts";
import { type Claimed, type Figures, LeaseLostError, type QueueStore } from "./queue-store.ts";
import { putChanges } from "./run-changes.ts";
import { endExpired, endRun, endTurn } from "./run-ends.ts";
import { readRun } from "./run-rows.ts";
import type { Schema } from "./schema.ts";
import { statement } from "./statement.ts";
import { markSteered, returnMessage, returnSteered, takeMessage } from "./steering.ts";
import { keepAnswer } from "./turn-answers.ts";
import { activeTurn, startNextTurn } from "./turns.ts";

const Answer = z.object({ questionId: z.string(), optionId: z.string() });
const engineForgottenMs = 24 * 3_600_000;

/** Ends after which no further turn starts by itself: somebody stopped the run, or the next turn would end in the same way. */
const endsHoldingQueue: ReadonlySet<EndStatus> = new Set(["cancelled", "interrupted", "out_of_tokens"]);

/** An evaluating run with a waiting turn is continued before any queued run starts. */
const continuable = sql<boolean>`runs.status = 'evaluating' and runs.agent != ${sql.lit(externalAgent)}
  and exists (select 1 from turns where turns.run_id = runs.id and turns.state = 'waiting')`;
const anyQueued = statement<Record<never, never>, { id: number }>(`
  select id from (select id from runs where status = 'queued' limit 1) union all
  select id from (
    select runs.id from runs where runs.status = 'evaluating' and runs.agent != '${externalAgent}'
    and exists (select 1 from turns where turns.run_id = runs.id and turns.state = 'waiting') limit 1
  )`);
const anyExpired = statement<{ now: number }, { id: number }>(
  "select id from runs where lease_expires_at <= :now limit 1",
);
type RequestColumns = Pick<Selectable<Schema["runs"]>, "status" | "cancel_requested_at" | "answer"> & {
  message: 0 | 1;
};
// Both states, then one: SQLite uses the partial index turns_queued only if the query repeats the index's condition.
const controlRequests = statement<{ run: number; epoch: number }, RequestColumns>(`
  select status, cancel_requested_at, answer, exists (
    select 1 from turns where run_id = runs.id and state in ('waiting', 'held') and state = 'waiting' and steering = 1
  ) as message
  from runs where id = :run and lease_epoch = :epoch`);

/** The queue as engines see it. A search that finds nothing costs a read, not the write lock. */
export function queueStore({ writer, reader, readAll }: Dialect, appender: EntryAppender, now: Now): QueueStore {
  return {
    async claim(engineId, leaseMs) {
      if ((await readAll(anyQueued, {})).length === 0) return null;
      return writer.transaction().execute((trx) => claimOldest(trx, engineId, leaseMs, now()));
    },

    async renew(lease, leaseMs) {
      await updateLeased(writer, lease, { lease_expires_at: now() + leaseMs });
    },

    async controlRequests(lease) {
      const [run] = await readAll(controlRequests, { run: lease.runId, epoch: lease.epoch });
      if (run === undefined || !liveStatuses.some((status) => status === run.status)) throw new LeaseLostError(lease);
      return {
        cancel: run.cancel_requested_at !== null,
        answer: run.answer === null ? null : Answer.parse(JSON.parse(run.answer)),
        message: run.message === 1,
      };
    },

    takeMessage(lease) {
      return writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        return cancelWanted ? null : takeMessage(trx, lease.runId);
      });
    },

    async settleMessage(lease, number, entries) {
      const written = entries === null ? null : writeEntries(entries);
      await writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        if (written === null) return returnMessage(trx, lease.runId, number, cancelWanted);
        await appender.appendLeased(trx, lease, written);
        await markSteered(trx, lease.runId, number, now());
      });
    },

    async refuseMessage(lease, number, entries, isHeld) {
      const written = writeEntries(entries);
      await writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        await appender.appendLeased(trx, lease, written);
        await returnSteered(trx, lease.runId, number, isHeld || cancelWanted);
      });
    },

    async append(lease, entries) {
      const written = writeEntries(entries);
      return writer.transaction().execute((trx) => appender.appendLeased(trx, lease, written));
    },

    async setQuestion(lease, question) {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        if (question === null) await changeStatus(trx, lease.runId, "running", now());
        else await changeStatus(trx, lease.runId, "waiting", now(), { question: JSON.stringify(question) });
      });
    },

    async setProgress(lease, progress) {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        await trx.deleteFrom("run_progress").where("run_id", "=", lease.runId).execute();
        if (progress === null) return;
        await trx
          .insertInto("run_progress")
          .values({ run_id: lease.runId, progress: JSON.stringify(progress) })
          .execute();
      });
    },

    async setFigures(lease, figures) {
      await updateLeased(writer, lease, columnsOf(figures));
    },

    async setAgentState(lease, state) {
      await updateLeased(writer, lease, { agent_state: JSON.stringify(state) });
    },

    async setLeftOut(lease, count) {
      await updateLeased(writer, lease, { left_out: count });
    },

    async setDiff(lease, diff, changes, commit) {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        if (diff !== null && changes !== null) await putChanges(trx, lease.runId, diff, changes);
        await trx
          .updateTable("turns")
          .set({ kept_commit: commit })
          .where("run_id", "=", lease.runId)
          .where("number", "=", await activeTurn(trx, lease.runId))
          .execute();
      });
    },

    async finishTurn(lease, { status, result, summary, entries, holdsQueue, signIn }) {
      const written = writeEntries(entries);
      return writer.transaction().execute(async (trx) => {
        const { runId } = lease;
        const held = await requireLease(trx, lease);
        const nowMs = now();
        await appender.appendLeased(trx, lease, written);
        const number = await activeTurn(trx, runId);
        if (signIn !== undefined) await noteSignIn(trx, runId, signIn, nowMs);
        await endTurn(trx, runId, status, nowMs);
        await keepAnswer(trx, runId, number, { result, summary });
        // An end cannot be reached from `waiting`, and an answer no longer matters.
        if (held.status === "waiting") await changeStatus(trx, runId, "running", nowMs);
        const continues = holdsQueue !== true && !endsHoldingQueue.has(status) && !held.cancelWanted;
        const next = continues ? await startNextTurn(trx, runId, nowMs) : null;
        if (next !== null) {
          await pauseStage(trx, runId, next.number);
          return next;
        }
        if (continues && (await beginEvaluation(trx, runId, status, nowMs))) {
          // The lease ends: the work that follows belongs to no engine, and waits without a slot.
          await changeStatus(trx, runId, "evaluating", nowMs, { lease_epoch: lease.epoch + 1 });
        } else await endRun(trx, appender, runId, status, held.cancelWanted, nowMs);
        return null;
      });
    },

    async expire() {
      if ((await readAll(anyExpired, { now: now() })).length === 0) return [];
      return writer.transaction().execute((trx) => endExpired(trx, appender, now(), now()));
    },

    async endLeases() {
      return writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("engines").execute();
        await trx.updateTable("host_tasks").set({ lease_expires_at: null }).execute();
        await freeClaims(trx, now());
        return endExpired(trx, appender, Number.MAX_SAFE_INTEGER, now());
      });
    },

    async beat(engineId) {
      const nowMs = now();
      await writer.transaction().execute(async (trx) => {
        await trx
          .insertInto("engines")
          .values({ id: engineId, beat_at: nowMs })
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ beat_at: nowMs }))
          .execute();
        await trx
          .deleteFrom("engines")
          .where("beat_at", "<", nowMs - engineForgottenMs)
          .execute();
      });
    },

    async countEngines(withinMs) {
      const { engines } = await reader
        .selectFrom("engines")
        .select(({ fn }) => fn.countAll<number>().as("engines"))
        .where("beat_at", ">=", now() - withinMs)
        .executeTakeFirstOrThrow();
      return engines;
    },
  };
}

async function claimOldest(
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

function columnsOf(figures: Figures) {
  const columns: Partial<Selectable<Schema["runs"]>> = {};
  if (figures.model !== undefined) columns.model = figures.model;
  if (figures.tokens !== undefined) columns.tokens = JSON.stringify(figures.tokens);
  if (figures.costUsd !== undefined) columns.cost_usd = figures.costUsd;
  if (figures.branch !== undefined) columns.branch = figures.branch;
  if (figures.baseBranch !== undefined) columns.base_branch = figures.baseBranch;
  if (figures.baseCommit !== undefined) columns.base_commit = figures.baseCommit;
  if (figures.isolation !== undefined) columns.isolation = figures.isolation;
  if (figures.isSteerable !== undefined) columns.steerable = figures.isSteerable ? 1 : 0;
  return columns;
}
