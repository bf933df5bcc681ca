import type { Selectable } from "kysely";
import { z } from "zod";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { NewChanges } from "#lib/contract/runs/changes.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import type { GivenQuestion } from "#lib/contract/runs/question.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import { noteSignIn, type SignInNote } from "#lib/store/agents/agent-refusals.ts";
import { freeClaims } from "#lib/store/dead-claims.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import type { Now } from "#lib/store/instant.ts";
import { beginEvaluation, pauseStage } from "#lib/store/pulls/pull-stage.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { markSteered, returnMessage, returnSteered, takeMessage } from "#lib/store/turns/steering.ts";
import { keepAnswer } from "#lib/store/turns/turn-answers.ts";
import { activeTurn, startNextTurn } from "#lib/store/turns/turns.ts";
import { changeStatus } from "./change-status.ts";
import { claimOldest } from "./claim-oldest.ts";
import { liveStatuses, requireLease, updateLeased } from "./leased-run.ts";
import { type Claimed, type ControlRequests, type Figures, type Lease, LeaseLostError } from "./queue-store.ts";
import { putChanges } from "./run-changes.ts";
import { endExpired, endRun, endTurn } from "./run-ends.ts";
import type { TurnRow } from "./run-store.ts";

const Answer = z.object({ questionId: z.string(), optionId: z.string() });
const engineForgottenMs = 24 * 3_600_000;

/** Ends after which no further turn starts by itself: somebody stopped the run, or the next turn would end in the same way. */
const endsHoldingQueue: ReadonlySet<EndStatus> = new Set(["cancelled", "interrupted", "out_of_tokens"]);

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
export function queueStore(dialect: Dialect, appender: EntryAppender, now: Now) {
  const { writer, reader, readAll } = dialect;
  return {
    /**
     * Claims an evaluating run with a waiting turn, else the oldest queued run: it becomes `running` under a lease of this engine,
     * with its first waiting turn active. Null if there is none.
     */
    claim(engineId: string, leaseMs: number): Promise<Claimed | null> {
      return claimOldest(dialect, engineId, leaseMs, now());
    },

    /** Extends the lease. Throws {@link LeaseLostError}. */
    async renew(lease: Lease, leaseMs: number): Promise<void> {
      await updateLeased(writer, lease, { lease_expires_at: now() + leaseMs });
    },

    /** Control requests to the run. Cheap; the engine reads it when `version()` changed. Throws {@link LeaseLostError}. */
    async controlRequests(lease: Lease): Promise<ControlRequests> {
      const [run] = await readAll(controlRequests, { run: lease.runId, epoch: lease.epoch });
      if (run === undefined || !liveStatuses.some((status) => status === run.status)) throw new LeaseLostError(lease);
      return {
        cancel: run.cancel_requested_at !== null,
        answer: run.answer === null ? null : Answer.parse(JSON.parse(run.answer)),
        message: run.message === 1,
      };
    },

    /**
     * Takes the next message for the agent's next step. It is then on its way, and nobody can edit or withdraw it. Null if there is
     * none, or a cancel was requested. The caller must settle it with {@link QueueStore.settleMessage}.
     */
    takeMessage(lease: Lease): Promise<TurnRow | null> {
      return writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        return cancelWanted ? null : takeMessage(trx, lease.runId);
      });
    },

    /**
     * Settles a message. With entries it has reached the agent: they are appended in the same transaction, and it does not become a
     * turn. With null it has not: it waits as a turn, or is held if a cancel was requested. One that nobody settles is held when
     * its turn ends: it may have reached the agent.
     */
    async settleMessage(lease: Lease, number: number, entries: NewEntry[] | null): Promise<void> {
      const written = entries === null ? null : writeEntries(entries);
      await writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        if (written === null) return returnMessage(trx, lease.runId, number, cancelWanted);
        await appender.appendLeased(trx, lease, written);
        await markSteered(trx, lease.runId, number, now());
      });
    },

    /**
     * The agent has refused a message that was settled as having reached it: `entries` say so, in the same transaction, and it waits
     * as a turn, or is held if `isHeld` or a cancel was requested.
     */
    async refuseMessage(lease: Lease, number: number, entries: NewEntry[], isHeld: boolean): Promise<void> {
      const written = writeEntries(entries);
      await writer.transaction().execute(async (trx) => {
        const { cancelWanted } = await requireLease(trx, lease);
        await appender.appendLeased(trx, lease, written);
        await returnSteered(trx, lease.runId, number, isHeld || cancelWanted);
      });
    },

    /** Appends in one transaction that checks the lease; returns the seq of the last entry. */
    async append(lease: Lease, entries: NewEntry[]): Promise<number> {
      const written = writeEntries(entries);
      return writer.transaction().execute((trx) => appender.appendLeased(trx, lease, written));
    },

    /** running -> waiting with the question, or waiting -> running with null. */
    async setQuestion(lease: Lease, question: GivenQuestion | null): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        if (question === null) await changeStatus(trx, lease.runId, "running", now());
        else await changeStatus(trx, lease.runId, "waiting", now(), { question: JSON.stringify(question) });
      });
    },

    async setProgress(lease: Lease, progress: Progress | null): Promise<void> {
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

    async setFigures(lease: Lease, figures: Figures): Promise<void> {
      await updateLeased(writer, lease, columnsOf(figures));
    },

    async setAgentState(lease: Lease, state: Record<string, unknown>): Promise<void> {
      await updateLeased(writer, lease, { agent_state: JSON.stringify(state) });
    },

    /** Stores how many pieces of work the run's checkout holds that are not in its branch. */
    async setLeftOut(lease: Lease, count: number): Promise<void> {
      await updateLeased(writer, lease, { left_out: count });
    },

    /**
     * Stores the run's current diff, and `commit` as the active turn's work (null if there is none). Without a diff, the stored one
     * stays.
     */
    async setDiff(
      lease: Lease,
      diff: Uint8Array | null,
      changes: NewChanges | null,
      commit: string | null,
    ): Promise<void> {
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

    /**
     * Ends the active turn, whose answer becomes the run's unless it has none. If another turn waits, it becomes active and is
     * returned, and the run stays `running`; otherwise the lease ends, and the run gets the end status or, while its pull request is
     * worked on, `evaluating`. Waiting turns are held if a cancel was requested, the end is `cancelled`, `interrupted` or
     * `out_of_tokens`, or `holdsQueue` is true. In one transaction with the closing entries, so that a run never ends without one.
     * Clears the progress. `signIn`: what the turn showed about its agent's sign-in, see AgentRefusalStore.
     */
    async finishTurn(
      lease: Lease,
      {
        status,
        result,
        summary,
        entries,
        holdsQueue,
        signIn,
      }: {
        status: EndStatus;
        result: string | null;
        summary: string | null;
        entries: NewEntry[];
        holdsQueue?: boolean;
        signIn?: SignInNote;
      },
    ): Promise<TurnRow | null> {
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

    /**
     * Ends expired leases: marks their runs as `interrupted`, each with an ERROR entry, and holds waiting turns. An evaluating run
     * only loses its lease. Returns the ids of the interrupted runs.
     */
    async expire(): Promise<number[]> {
      if ((await readAll(anyExpired, { now: now() })).length === 0) return [];
      return writer.transaction().execute((trx) => endExpired(trx, appender, now(), now()));
    },

    /**
     * Like `expire`, for every lease, and forgets every engine: for a caller that knows that no engine is at work. Claimed steps of
     * pull requests and events of connected services are due now, claimed replies 15 s later; sign-ins in progress have failed.
     */
    async endLeases(): Promise<number[]> {
      return writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("engines").execute();
        await freeClaims(trx, now());
        return endExpired(trx, appender, Number.MAX_SAFE_INTEGER, now());
      });
    },

    /** Heartbeat of the engine. */
    async beat(engineId: string): Promise<void> {
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

    /** Number of engines with a heartbeat in the last `withinMs`. */
    async countEngines(withinMs: number): Promise<number> {
      const { engines } = await reader
        .selectFrom("engines")
        .select(({ fn }) => fn.countAll<number>().as("engines"))
        .where("beat_at", ">=", now() - withinMs)
        .executeTakeFirstOrThrow();
      return engines;
    },
  };
}

export type QueueStore = ReturnType<typeof queueStore>;

function columnsOf(figures: Figures) {
  const columns: Partial<Selectable<Schema["runs"]>> = {};
  if (figures.model !== undefined) columns.model = figures.model;
  if (figures.tokens !== undefined) columns.tokens = JSON.stringify(figures.tokens);
  if (figures.costUsd !== undefined) columns.cost_usd = figures.costUsd;
  if (figures.agentState !== undefined) columns.agent_state = JSON.stringify(figures.agentState);
  if (figures.branch !== undefined) columns.branch = figures.branch;
  if (figures.baseBranch !== undefined) columns.base_branch = figures.baseBranch;
  if (figures.baseCommit !== undefined) columns.base_commit = figures.baseCommit;
  if (figures.isolation !== undefined) columns.isolation = figures.isolation;
  if (figures.isSteerable !== undefined) columns.steerable = figures.isSteerable ? 1 : 0;
  return columns;
}
