import { sql } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { Progress } from "#lib/contract/runs/progress.ts";
import type { LastPush } from "#lib/contract/runs/push.ts";
import { Question } from "#lib/contract/runs/question.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import { endStage } from "#lib/store/pulls/pull-stage.ts";
import { compiledStatement, named, statement } from "#lib/store/statement.ts";
import { addWaitingTurn, holdWaitingTurns, releaseHeldTurns } from "#lib/store/turns/turns.ts";
import { type NewRunWebhook, setRunWebhooks } from "#lib/store/webhooks/webhooks.ts";
import type { Access } from "./access.ts";
import { cancelIdle } from "./cancel-idle.ts";
import { cancelledCheck } from "./cancelled-check.ts";
import { changeStatus } from "./change-status.ts";
import { cancelExternal, continueExternal, startExternal } from "./external-runs.ts";
import { insertRun } from "./insert-run.ts";
import { workCommitReader } from "./kept-commits.ts";
import { requireQueueRoom } from "./queue-room.ts";
import { requireAct } from "./run-acts.ts";
import { changesWriter } from "./run-changes.ts";
import { runLists } from "./run-list.ts";
import { type RunMcpServer, replaceRunMcpServers, runMcpServersReader } from "./run-mcp-servers.ts";
import type { RunRow } from "./run-rows.ts";
import { readRun, runRow, type SelectedRun, selectRuns } from "./run-rows.ts";
import type { NewRun, NewTurn } from "./run-store.ts";
import { runTimesReader } from "./run-times.ts";
import { type VisibleRun, visibleRun } from "./visible-run.ts";

const findProgress = statement<VisibleRun, { progress: string }>(
  `select progress from run_progress where run_id = :run and ${visibleRun}`,
);

/** `webhooks` and `mcpServers` replace those of the run. */
type TurnOptions = {
  withHeld?: boolean;
  webhooks?: readonly NewRunWebhook[];
  mcpServers?: RunMcpServer[];
  atNextStep?: boolean;
};

export type RunStore = ReturnType<typeof runStore>;

/** Actions of people and clients on runs. */
export function runStore(dialect: Dialect, appender: EntryAppender, now: Now, queueMax: number) {
  const { writer, reader, readAll } = dialect;
  const findOne = compiledStatement<VisibleRun, SelectedRun>(
    selectRuns(reader)
      .where("runs.id", "=", named<number>("run"))
      .where("runs.organization_id", "=", named<number>("organization"))
      .compile(),
  );

  return {
    /**
     * Writes the run as `queued` with its first turn: the row is the queue. An external one is `running` at once. The repository
     * must belong to the organization. `notices` are its first entries.
     */
    create(access: Access, run: NewRun, notices: readonly NewEntry[] = []): Promise<RunRow> {
      return writer.transaction().execute(async (trx) => {
        const nowMs = now();
        const id = await insertRun(trx, access, run, nowMs, queueMax);
        if (notices.length > 0) await appender.append(trx, id, writeEntries(notices));
        if (run.agent === externalAgent) await startExternal(trx, id, nowMs);
        return readRun(trx, id);
      });
    },

    async find({ organizationId }: Access, runId: number): Promise<RunRow | null> {
      const [row] = await readAll(findOne, { run: runId, organization: organizationId });
      return row === undefined ? null : runRow(row);
    },

    ...runLists(dialect),

    /**
     * Adds a turn: an ended run becomes `queued`, a live one keeps its status. Held turns stay held, or with `withHeld` start
     * before it. `webhooks` and `mcpServers` replace those of the run from now on. With `atNextStep` a working agent gets the message
     * between two steps, if it supports that. An external run gets the message as an entry and continues, unless it is evaluating.
     * Null if the run is not visible.
     */
    addTurn(
      access: Access,
      runId: number,
      turn: NewTurn,
      { withHeld = false, webhooks = [], mcpServers, atNextStep = false }: TurnOptions = {},
    ): Promise<RunRow | null> {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .select(["id", "status", "agent", "user_id", "steerable", "cancel_requested_at"])
          .where("id", "=", runId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (run === undefined) return null;
        requireAct(access, "continue", run.user_id);
        // A message after a cancel continues the run when the cancelled turn has ended.
        const steers = atNextStep && run.steerable === 1 && run.cancel_requested_at === null;
        const joinsQueue = isEnd(run.status) && run.agent !== externalAgent;
        if (joinsQueue) await requireQueueRoom(trx, access.organizationId, queueMax);
        const nowMs = now();
        // Turns start in order of their numbers, and a new one has the highest.
        if (withHeld) await releaseHeldTurns(trx, runId);
        await addWaitingTurn(trx, runId, turn, access.userId, nowMs, steers);
        await setRunWebhooks(trx, { organizationId: access.organizationId, id: runId }, webhooks, nowMs);
        if (mcpServers !== undefined) await replaceRunMcpServers(trx, runId, mcpServers);
        if (run.agent === externalAgent) await continueExternal(trx, appender, run, nowMs);
        else if (joinsQueue) await changeStatus(trx, runId, "queued", nowMs);
        return readRun(trx, runId);
      });
    },

    /**
     * A queued, evaluating or external run becomes `cancelled` at once with a closing entry; for any other live run the request is
     * recorded for its engine; an ended run stays as it is. Waiting turns are held. Null if the run is not visible.
     */
    cancel(access: Access, runId: number): Promise<RunRow | null> {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .select(["status", "agent", "cancel_requested_at", "user_id"])
          .where("id", "=", runId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (run === undefined) return null;
        requireAct(access, "cancel", run.user_id);
        const nowMs = now();
        await holdWaitingTurns(trx, runId);
        if (run.status === "queued") {
          await cancelIdle(trx, appender, runId, "Cancelled before it started.", nowMs);
        } else if (!isEnd(run.status) && run.agent === externalAgent) {
          await cancelExternal(trx, appender, runId, nowMs);
        } else if (run.status === "evaluating") {
          const stopped = writeEntries(await cancelledCheck(trx, runId, nowMs));
          if (stopped.length > 0) await appender.append(trx, runId, stopped);
          await endStage(trx, runId, nowMs);
          await cancelIdle(trx, appender, runId, "Cancelled.", nowMs);
        } else if (!isEnd(run.status)) {
          await trx
            .updateTable("runs")
            .set({ cancel_requested_at: run.cancel_requested_at ?? nowMs })
            .where("id", "=", runId)
            .execute();
        }
        return readRun(trx, runId);
      });
    },

    /** Sets or removes the flag that no event wakes the run; an existing flag keeps its time. Null if the run is not visible. */
    setBanned(access: Access, runId: number, banned: boolean): Promise<RunRow | null> {
      return writer.transaction().execute(async (trx) => {
        const nowMs = now();
        const { numUpdatedRows } = await trx
          .updateTable("runs")
          .set({ banned_at: banned ? sql<number>`coalesce(banned_at, ${nowMs})` : null })
          .where("id", "=", runId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return null;
        if (!banned) {
          const none = { verdict: null, reason: null };
          const ofRun = trx.updateTable("pull_requests").set(none).where("run_id", "=", runId);
          await ofRun.where("verdict", "=", "banned").execute();
        }
        const run = await readRun(trx, runId);
        requireAct(access, "cancel", run.userId);
        return run;
      });
    },

    /** Records that the run's branch is in the source of its repository. */
    async notePushed(
      { organizationId }: Access,
      runId: number,
      { commit, remote }: Pick<LastPush, "commit" | "remote">,
    ): Promise<void> {
      const pushed: LastPush = { commit, remote, at: instantOf(now()) };
      await writer
        .updateTable("runs")
        .set({ pushed: JSON.stringify(pushed) })
        .where("id", "=", runId)
        .where("organization_id", "=", organizationId)
        .execute();
    },

    /** Records the answer to the open question with that id; false if there is none (any more). */
    answer(access: Access, runId: number, questionId: string, optionId: string): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .leftJoin("turns", (join) => join.onRef("turns.run_id", "=", "runs.id").on("turns.state", "=", "active"))
          .select(["runs.question", "runs.user_id", "turns.user_id as asker_id"])
          .where("runs.id", "=", runId)
          .where("runs.organization_id", "=", access.organizationId)
          .where("runs.status", "=", "waiting")
          .where("runs.answer", "is", null)
          .executeTakeFirst();
        if (run === undefined || run.question === null) return false;
        requireAct(access, "answer", run.user_id, run.asker_id);
        const question = Question.parse(parseExactJson(run.question));
        const isOpen = question.id === questionId && question.options.some((option) => option.id === optionId);
        if (!isOpen) return false;
        await trx
          .updateTable("runs")
          .set({ answer: JSON.stringify({ questionId, optionId }) })
          .where("id", "=", runId)
          .execute();
        return true;
      });
    },

    /** Work in progress, or null. */
    async findProgress({ organizationId }: Access, runId: number): Promise<Progress | null> {
      const [row] = await readAll(findProgress, { run: runId, organization: organizationId });
      // Progress written by a process of another version lasts only moments: ignore it.
      return row === undefined ? null : (Progress.safeParse(parseExactJson(row.progress)).data ?? null);
    },

    /** Its own selection of MCP servers. */
    findMcpServers: runMcpServersReader(dialect),
    /** When it was worked on and when it waited for a person. */
    findTimes: runTimesReader(dialect),
    ...changesWriter(dialect),
    /** The commit with the run's work at the end of a turn, or now. */
    findWorkCommit: workCommitReader(dialect),

    /** The stored unified diff (empty if there is none), or null if the run is not visible. Its bytes need not be UTF-8. */
    async findDiff({ organizationId }: Access, runId: number): Promise<Uint8Array | null> {
      const row = await reader
        .selectFrom("runs")
        .leftJoin("run_diffs", "run_diffs.run_id", "runs.id")
        .select("run_diffs.diff")
        .where("runs.id", "=", runId)
        .where("runs.organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : (row.diff ?? new Uint8Array());
    },
  };
}
