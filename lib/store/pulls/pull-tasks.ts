import { type Selectable, sql, type Transaction } from "kysely";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { claimOne } from "#lib/store/claim-one.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { hasWaitingTurn } from "#lib/store/turns/turns.ts";
import { findPull, type PullRow, pullRow } from "./pull-rows.ts";
import { betweenLooksMs } from "./pull-wake.ts";

/** Something to do for a pull request, leased. Steps under an older epoch change nothing. */
export type PullTask = { pull: PullRow; epoch: number; tries: number };

/** Pause before the next look at a task whose run's waiting turn comes first. */
const afterTurnMs = 1000;

const dueTask = statement<
  { now: number },
  Selectable<Schema["pull_requests"]> & { lease_epoch: number; tries: number }
>(`
  select pull_requests.*, host_tasks.lease_epoch, host_tasks.tries
  from host_tasks join pull_requests on pull_requests.id = host_tasks.pull_request_id
  where host_tasks.due_at <= :now and coalesce(host_tasks.lease_expires_at, 0) <= :now
  order by host_tasks.due_at limit 1`);

/** Leases the task that is due first. A task whose run must do a turn first is postponed: nothing is sent to the host for it. */
export async function claimTask(dialect: Dialect, leaseMs: number, now: Now): Promise<PullTask | null> {
  for (;;) {
    const nowMs = now();
    const claimed = await claimOne(dialect, dueTask, { now: nowMs }, async (trx, due) => {
      const pull = pullRow(due);
      const task = trx.updateTable("host_tasks").where("pull_request_id", "=", pull.id);
      if (await comesAfterTurn(trx, pull)) {
        await task.set({ due_at: nowMs + afterTurnMs }).execute();
        return "postponed";
      }
      const [epoch, tries] = [due.lease_epoch + 1, due.tries + 1];
      await task.set({ lease_epoch: epoch, lease_expires_at: nowMs + leaseMs, tries, woken: 0 }).execute();
      return { pull, epoch, tries };
    });
    if (claimed !== "postponed") return claimed;
  }
}

/** The pull request of a task, if its lease is still valid. */
export async function findLeasedPull(trx: Transaction<Schema>, { pull, epoch }: PullTask): Promise<PullRow | null> {
  const task = await trx
    .selectFrom("host_tasks")
    .select("lease_epoch")
    .where("pull_request_id", "=", pull.id)
    .executeTakeFirst();
  return task?.lease_epoch === epoch ? findPull(trx, pull.runId) : null;
}

/** Ends the lease of a task, which is due again at that time; sooner if an event on the host arrived in the meantime. */
export async function releaseTask(
  trx: Transaction<Schema>,
  { pull, waitMs, tries }: { pull: PullRow; waitMs: number; tries: number },
  nowMs: number,
): Promise<void> {
  const wokenMs = Math.min(waitMs, betweenLooksMs);
  await trx
    .updateTable("host_tasks")
    .set({
      due_at: sql<number>`case when woken = 1 then ${nowMs + wokenMs} else ${nowMs + waitMs} end`,
      lease_expires_at: null,
      tries,
      woken: 0,
    })
    .where("pull_request_id", "=", pull.id)
    .execute();
}

/** Whether no work on the pull request is in progress: none was begun, it is done, or the run ended during it. */
export async function isIdle(trx: Transaction<Schema>, { runId, stage }: PullRow): Promise<boolean> {
  return stage === null || (stage === "fixing" && isEnd(await statusOf(trx, runId)));
}

/** Whether the task must wait: its run has a turn waiting or at work, which continues the work on the pull request. */
export async function comesAfterTurn(trx: Transaction<Schema>, pull: PullRow): Promise<boolean> {
  if (await isIdle(trx, pull)) return false;
  return (await statusOf(trx, pull.runId)) !== "evaluating" || (await hasWaitingTurn(trx, pull.runId));
}

async function statusOf(trx: Transaction<Schema>, runId: number) {
  return (await trx.selectFrom("runs").select("status").where("id", "=", runId).executeTakeFirstOrThrow()).status;
}
