import type { Transaction } from "kysely";
import { externalAgent } from "#lib/contract/agent-ids.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import { isEnd } from "#lib/contract/run-status.ts";
import type { Access } from "./access.ts";
import { linkAnalyses } from "./analysis-runs.ts";
import { type EntryAppender, writeEntries } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";
import { findPull, type PullRow, pullRow } from "./pull-rows.ts";
import { type PullSettingsStore, pullSettingsStore } from "./pull-settings.ts";
import { beginStage, endStage, makeDue, type PullOptions, restTask } from "./pull-stage.ts";
import { askAgent, columnsOf, lead, noteNames, type PullChanges, tellRun, withTurn } from "./pull-steps.ts";
import { type PullPlace, wakePulls } from "./pull-wake.ts";
import { requireAct } from "./run-acts.ts";
import { readRun } from "./run-rows.ts";
import type { RunRow } from "./run-store.ts";
import type { Schema } from "./schema.ts";
import { statement } from "./statement.ts";
import { hasWaitingTurn } from "./turns.ts";

/** Why nothing can be opened: see the messages of lib/service/pull-requests.ts. */
export type PullRefusal = "absent" | "external" | "no_work" | "at_work" | "closed" | "merged" | "base_branch";

/** Something to do for a pull request, leased. Steps under an older epoch change nothing. */
export type PullTask = { pull: PullRow; epoch: number; tries: number };

/** One finished step of the work on a pull request. */
export type PullStep = {
  changes: PullChanges;
  entries?: NewEntry[];
  /** Names of checks seen. */
  checkNames?: readonly string[];
  /** The conversation on the host that leads to the run from now on. */
  conversation?: { integrationId: number; key: string };
  /** Entries for the logs of other runs of the organization; runs deleted meanwhile get none. */
  elsewhere?: { runId: number; entry: NewEntry }[];
  /**
   * again: the next step is due after that time; turn: the agent gets this prompt; end: the run ends as its last turn did. A pull
   * request that nobody works on rests.
   */
  next: { kind: "again"; waitMs: number } | { kind: "turn"; prompt: string } | { kind: "end" };
};

export type PullStore = PullSettingsStore & {
  find(access: Access, pullId: number): Promise<PullRow | null>;
  /** An ended run becomes `evaluating`; one that already is stays as it is (`begun` false). */
  request(
    access: Access,
    runId: number,
    options: PullOptions,
  ): Promise<{ run: RunRow; pull: PullRow; begun: boolean } | { refused: PullRefusal }>;
  /** The task that is due first; due again after `leaseMs` unless a step is taken. */
  claim(leaseMs: number): Promise<PullTask | null>;
  /** Extends the lease; false if it is lost. */
  renew(task: PullTask, leaseMs: number): Promise<boolean>;
  /** The current run of a task. Null if the task now belongs to somebody else. */
  findRun(task: PullTask): Promise<RunRow | null>;
  /** Writes the whole step; writes nothing and returns false if somebody cancelled, resumed or deleted the run meanwhile. */
  step(task: PullTask, step: PullStep): Promise<boolean>;
  /** The step did not succeed: it is due again after that time. */
  postpone(task: PullTask, waitMs: number): Promise<void>;
  /**
   * Makes pull requests due now because something happened on the host to them, or to a commit or branch of theirs; also a closed
   * one, which may have been reopened. Returns their number.
   */
  wake(place: PullPlace): Promise<number>;
  /** Records what somebody did with it on the host through this service. */
  note(
    access: Access,
    pullId: number,
    changes: Pick<PullChanges, "state" | "isDraft" | "title" | "closedAt">,
  ): Promise<void>;
  /** Ends the work on a run's pull request as banned, with this entry, if it has one; before the run is cancelled. */
  ban(access: Access, runId: number, entry: NewEntry): Promise<void>;
  /** Number of pull requests on this host whose checks are watched. */
  countWatched(integrationId: number): Promise<number>;
};

const anyDue = statement<{ now: number }, { pull_request_id: number }>(
  "select pull_request_id from host_tasks where due_at <= :now and coalesce(lease_expires_at, 0) <= :now limit 1",
);

/** Pull requests of runs, and the work on them. */
export function pullStore(dialect: Dialect, appender: EntryAppender, now: Now): PullStore {
  const { writer, reader, readAll } = dialect;
  /** Inside a transaction: the pull request, if the task's lease is still valid. */
  const held = async (trx: Transaction<Schema>, { pull, epoch }: PullTask): Promise<PullRow | null> => {
    const task = await trx
      .selectFrom("host_tasks")
      .select("lease_epoch")
      .where("pull_request_id", "=", pull.id)
      .executeTakeFirst();
    return task?.lease_epoch === epoch ? findPull(trx, pull.runId) : null;
  };
  const release = async (trx: Transaction<Schema>, { pull }: PullTask, waitMs: number, tries: number) => {
    await trx
      .updateTable("host_tasks")
      .set({ due_at: now() + waitMs, lease_expires_at: null, tries })
      .where("pull_request_id", "=", pull.id)
      .execute();
  };

  return {
    ...pullSettingsStore(dialect, now),

    async find({ organizationId }, pullId) {
      const row = await reader
        .selectFrom("pull_requests")
        .selectAll()
        .where("id", "=", pullId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : pullRow(row);
    },

    request(access, runId, options) {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .select(["status", "agent", "repository_id", "branch", "user_id"])
          .where("id", "=", runId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (run === undefined) return { refused: "absent" };
        requireAct(access, "push", run.user_id);
        const { repository_id: repositoryId, branch } = run;
        if (run.agent === externalAgent) return { refused: "external" };
        const known = await findPull(trx, runId);
        if (run.status === "evaluating" && known !== null) {
          return { run: await readRun(trx, runId), pull: known, begun: false };
        }
        if (!isEnd(run.status)) return { refused: "at_work" };
        if (repositoryId === null || branch === null) return { refused: "no_work" };
        if (known?.state === "closed" || known?.state === "merged") return { refused: known.state };
        const { title, body, draft, baseBranch } = options;
        const isOpen = known?.state === "open" && known.number !== null;
        if (isOpen && baseBranch !== null && baseBranch !== known.baseBranch) return { refused: "base_branch" };
        const { userId } = access;
        const nowMs = now();
        await beginStage(trx, { runId, repositoryId, branch, endStatus: run.status, userId, options }, nowMs);
        const afresh = { rounds: 0, attempts: "{}", failing: "{}", verdict: null, reason: null, fix_turn: null };
        const given = [
          ...(title === null ? [] : ["title"]),
          ...(body === null ? [] : ["body"]),
          ...(draft === null ? [] : ["draft"]),
        ];
        const watch = JSON.stringify({ asked: true, given });
        await trx
          .updateTable("pull_requests")
          .set({ ...afresh, watch })
          .where("run_id", "=", runId)
          .execute();
        await changeStatus(trx, runId, "evaluating", nowMs);
        const pull = await findPull(trx, runId);
        if (pull === null) throw new Error(`Run ${runId} has no pull request`);
        return { run: await readRun(trx, runId), pull, begun: true };
      });
    },

    async claim(leaseMs) {
      if ((await readAll(anyDue, { now: now() })).length === 0) return null;
      return writer.transaction().execute(async (trx) => {
        const nowMs = now();
        const due = await trx
          .selectFrom("host_tasks")
          .innerJoin("pull_requests", "pull_requests.id", "host_tasks.pull_request_id")
          .selectAll("pull_requests")
          .select(["host_tasks.lease_epoch", "host_tasks.tries"])
          .where("host_tasks.due_at", "<=", nowMs)
          .where((eb) => eb.or([eb("lease_expires_at", "is", null), eb("lease_expires_at", "<=", nowMs)]))
          .orderBy("host_tasks.due_at")
          .limit(1)
          .executeTakeFirst();
        if (due === undefined) return null;
        const [epoch, tries] = [due.lease_epoch + 1, due.tries + 1];
        await trx
          .updateTable("host_tasks")
          .set({ lease_epoch: epoch, lease_expires_at: nowMs + leaseMs, tries })
          .where("pull_request_id", "=", due.id)
          .execute();
        return { pull: pullRow(due), epoch, tries };
      });
    },

    async renew({ pull, epoch }, leaseMs) {
      const { numUpdatedRows } = await writer
        .updateTable("host_tasks")
        .set({ lease_expires_at: now() + leaseMs })
        .where("pull_request_id", "=", pull.id)
        .where("lease_epoch", "=", epoch)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    findRun(task) {
      return writer
        .transaction()
        .execute(async (trx) => ((await held(trx, task)) === null ? null : readRun(trx, task.pull.runId)));
    },

    step(task, { changes, entries = [], checkNames = [], conversation, elsewhere = [], next }) {
      return writer.transaction().execute(async (trx) => {
        const pull = await held(trx, task);
        if (pull === null) return false;
        const { id, runId, stage } = pull;
        const run = await trx.selectFrom("runs").select("status").where("id", "=", runId).executeTakeFirstOrThrow();
        const isIdle = stage === null || (stage === "fixing" && isEnd(run.status));
        if (!isIdle) {
          // A waiting turn comes first, and continues this work.
          if (run.status !== "evaluating" || (await hasWaitingTurn(trx, runId))) {
            await release(trx, task, 1000, 0);
            return false;
          }
        }
        const nowMs = now();
        await trx
          .updateTable("pull_requests")
          .set({ ...columnsOf(changes), id })
          .where("id", "=", id)
          .execute();
        const turn = !isIdle && next.kind === "turn" ? await askAgent(trx, pull, next.prompt, nowMs) : null;
        const written = writeEntries(turn === null ? entries : entries.map((entry) => withTurn(entry, turn)));
        if (written.length > 0) await appender.append(trx, runId, written);
        await noteNames(trx, pull.repositoryId, checkNames, nowMs);
        if (conversation !== undefined) await lead(trx, pull, conversation, nowMs);
        for (const one of elsewhere) await tellRun(trx, appender, pull, one, nowMs);
        if (isIdle) {
          const state = changes.state ?? pull.state;
          if (stage !== null && state !== "open") await endStage(trx, runId, nowMs);
          await restTask(trx, id, nowMs);
        } else if (next.kind === "again") await release(trx, task, next.waitMs, 0);
        else if (next.kind === "end") {
          await trx.updateTable("pull_requests").set({ stage: null, fix_turn: null }).where("id", "=", id).execute();
          await restTask(trx, id, nowMs);
          await changeStatus(trx, runId, pull.endStatus, nowMs);
          await linkAnalyses(trx, appender, runId, nowMs);
        }
        return true;
      });
    },

    postpone(task, waitMs) {
      return writer.transaction().execute(async (trx) => {
        if ((await held(trx, task)) !== null) await release(trx, task, waitMs, task.tries);
      });
    },

    wake(place) {
      return writer.transaction().execute((trx) => wakePulls(trx, place, now()));
    },

    note({ organizationId }, pullId, changes) {
      return writer.transaction().execute(async (trx) => {
        const noted = await trx
          .updateTable("pull_requests")
          .set((eb) => ({ ...columnsOf(changes), id: eb.ref("id") }))
          .where("id", "=", pullId)
          .where("organization_id", "=", organizationId)
          .returning(["id", "stage"])
          .executeTakeFirst();
        if (noted?.stage === null) await restTask(trx, noted.id, now());
        // Checks of a closed one are not waited for.
        else if (noted?.stage === "checking") await makeDue(trx, noted.id, now());
      });
    },

    async ban({ organizationId }, runId, entry) {
      const written = writeEntries([entry]);
      await writer.transaction().execute(async (trx) => {
        const pull = await findPull(trx, runId);
        if (pull === null || pull.stage === null || pull.organizationId !== organizationId) return;
        await endStage(trx, runId, now());
        await trx
          .updateTable("pull_requests")
          .set({ verdict: "banned", reason: "Somebody banned the run." })
          .where("id", "=", pull.id)
          .execute();
        await appender.append(trx, runId, written);
      });
    },

    async countWatched(integrationId) {
      const { watched } = await reader
        .selectFrom("pull_requests")
        .select(({ fn }) => fn.countAll<number>().as("watched"))
        .where("integration_id", "=", integrationId)
        .where("stage", "=", "checking")
        .executeTakeFirstOrThrow();
      return watched;
    },
  };
}
