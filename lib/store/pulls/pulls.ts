import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { linkAnalyses } from "#lib/store/runs/analysis-runs.ts";
import { cancelledCheck } from "#lib/store/runs/cancelled-check.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";
import { readRun } from "#lib/store/runs/run-rows.ts";
import { claimConversation, findSiblingRuns } from "./pull-mates.ts";
import { findPull, type PullRow, pullRow } from "./pull-rows.ts";
import { pullSettingsStore } from "./pull-settings.ts";
import {
  addOptions,
  beginStage,
  endStage,
  givenBy,
  makeDue,
  type PullOptions,
  restTask,
  stateAtEnd,
} from "./pull-stage.ts";
import { appendToRun, askAgent, columnsOf, noteNames, type PullChanges, withTurn } from "./pull-steps.ts";
import { claimTask, comesAfterTurn, findLeasedPull, isIdle, type PullTask, releaseTask } from "./pull-tasks.ts";
import { type PullPlace, wakePulls } from "./pull-wake.ts";

/** Reason that a request for a pull request is refused: see the messages of lib/service/pull-requests.ts. */
export type PullRefusal =
  | "absent"
  | "external"
  | "no_work"
  | "at_work"
  | "under_way"
  | "closed"
  | "merged"
  | "base_branch";

export type { PullTask };

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
   * again: the next step is due after `waitMs`; turn: the agent gets this prompt; end: the run ends as its last turn did. Ignored
   * for a pull request without work in progress, whose state is only checked now and then.
   */
  next: { kind: "again"; waitMs: number } | { kind: "turn"; prompt: string } | { kind: "end" };
};

/** Pull requests of runs, and the work on them. */
export function pullStore(dialect: Dialect, appender: EntryAppender, now: Now) {
  const { writer, reader } = dialect;
  return {
    ...pullSettingsStore(dialect, now),

    async find({ organizationId }: Access, pullId: number): Promise<PullRow | null> {
      const row = await reader
        .selectFrom("pull_requests")
        .selectAll()
        .where("id", "=", pullId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : pullRow(row);
    },

    /** Makes an ended run `evaluating`. An evaluating run takes the new options if it still can (`begun` false). */
    request(
      access: Access,
      runId: number,
      options: PullOptions,
    ): Promise<{ run: RunRow; pull: PullRow; begun: boolean } | { refused: PullRefusal }> {
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
          const refused = await addOptions(trx, known, { ...options, userId: access.userId }, now());
          if (refused !== null) return { refused };
          return { run: await readRun(trx, runId), pull: (await findPull(trx, runId)) ?? known, begun: false };
        }
        if (!isEnd(run.status)) return { refused: "at_work" };
        if (repositoryId === null || branch === null) return { refused: "no_work" };
        if (known?.state === "closed" || known?.state === "merged") return { refused: known.state };
        const { baseBranch } = options;
        const isOpen = known?.state === "open" && known.number !== null;
        if (isOpen && baseBranch !== null && baseBranch !== known.baseBranch) return { refused: "base_branch" };
        const { userId } = access;
        const nowMs = now();
        await beginStage(trx, { runId, repositoryId, branch, endStatus: run.status, userId, options }, nowMs);
        const afresh = { rounds: 0, attempts: "{}", failing: "{}", verdict: null, reason: null, fix_turn: null };
        const watch = JSON.stringify({ asked: true, given: givenBy(options) });
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

    /** The task that is due first; due again after `leaseMs` unless a step is taken. */
    claim: (leaseMs: number): Promise<PullTask | null> => claimTask(dialect, leaseMs, now),

    /** Extends the lease; false if it is lost. */
    async renew({ pull, epoch }: PullTask, leaseMs: number): Promise<boolean> {
      const { numUpdatedRows } = await writer
        .updateTable("host_tasks")
        .set({ lease_expires_at: now() + leaseMs })
        .where("pull_request_id", "=", pull.id)
        .where("lease_epoch", "=", epoch)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** The current run of a task. Null if the task now belongs to somebody else. */
    findRun(task: PullTask): Promise<RunRow | null> {
      return writer
        .transaction()
        .execute(async (trx) => ((await findLeasedPull(trx, task)) === null ? null : readRun(trx, task.pull.runId)));
    },

    /** Writes the whole step; writes nothing and returns false if somebody cancelled, resumed or deleted the run in the meantime. */
    step(
      task: PullTask,
      { changes, entries = [], checkNames = [], conversation, elsewhere = [], next }: PullStep,
    ): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const pull = await findLeasedPull(trx, task);
        if (pull === null) return false;
        const { id, runId, stage } = pull;
        const nowMs = now();
        if (await comesAfterTurn(trx, pull)) {
          await releaseTask(trx, { pull, waitMs: 0, tries: 0 }, nowMs);
          return false;
        }
        const idle = await isIdle(trx, pull);
        await trx
          .updateTable("pull_requests")
          .set({ ...columnsOf(changes), id })
          .where("id", "=", id)
          .execute();
        const turn = !idle && next.kind === "turn" ? await askAgent(trx, pull, next.prompt, nowMs) : null;
        const written = writeEntries(turn === null ? entries : entries.map((entry) => withTurn(entry, turn)));
        if (written.length > 0) await appender.append(trx, runId, written);
        await noteNames(trx, pull.repositoryId, checkNames, nowMs);
        if (conversation !== undefined) await claimConversation(trx, pull, conversation, nowMs);
        for (const one of elsewhere) await appendToRun(trx, appender, pull, one, nowMs);
        if (idle) {
          const state = changes.state ?? pull.state;
          if (stage !== null && state !== "open") await endStage(trx, runId, nowMs);
          await restTask(trx, id, nowMs);
        } else if (next.kind === "again") await releaseTask(trx, { pull, waitMs: next.waitMs, tries: 0 }, nowMs);
        else if (next.kind === "end") {
          const ended = { stage: null, fix_turn: null, state: stateAtEnd };
          await trx.updateTable("pull_requests").set(ended).where("id", "=", id).execute();
          await restTask(trx, id, nowMs);
          await changeStatus(trx, runId, pull.endStatus, nowMs);
          await linkAnalyses(trx, appender, runId, nowMs);
        }
        return true;
      });
    },

    /** The step did not succeed: it is due again after that time. */
    postpone(task: PullTask, waitMs: number): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        const pull = await findLeasedPull(trx, task);
        if (pull !== null) await releaseTask(trx, { pull, waitMs, tries: task.tries }, now());
      });
    },

    /**
     * Makes pull requests due now because of an event on the host about them, or about their commit or branch; a closed one only if
     * the event names it, because it may have been reopened. Returns their number.
     */
    wake(place: PullPlace): Promise<number> {
      return writer.transaction().execute((trx) => wakePulls(trx, place, now()));
    },

    /** Records a change that somebody made to the pull request on the host through this service. */
    note(
      { organizationId }: Access,
      pullId: number,
      changes: Pick<PullChanges, "state" | "isDraft" | "title" | "closedAt">,
    ): Promise<void> {
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

    /** Ends work in progress on a run's pull request as banned, with this entry. Call it before the run is cancelled. */
    async ban({ organizationId }: Access, runId: number, entry: NewEntry): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        const pull = await findPull(trx, runId);
        if (pull === null || pull.stage === null || pull.organizationId !== organizationId) return;
        const written = writeEntries([...(await cancelledCheck(trx, runId, now())), entry]);
        await endStage(trx, runId, now());
        await trx
          .updateTable("pull_requests")
          .set({ verdict: "banned", reason: "Someone banned the run." })
          .where("id", "=", pull.id)
          .execute();
        await appender.append(trx, runId, written);
      });
    },

    /** The other runs that work on the same pull request, oldest first. */
    findSiblingRuns: ({ organizationId }: Access, runId: number): Promise<number[]> =>
      findSiblingRuns(reader, organizationId, runId),

    /** Number of pull requests on this host whose checks are watched. */
    async countWatched(integrationId: number): Promise<number> {
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
