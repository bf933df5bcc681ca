import { type Kysely, type RawBuilder, sql } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { Changes } from "#lib/contract/runs/changes.ts";
import { LastPush } from "#lib/contract/runs/push.ts";
import { Question } from "#lib/contract/runs/question.ts";
import { failureStatuses } from "#lib/contract/runs/run-end.ts";
import { JsonObject } from "#lib/contract/text.ts";
import { instantOf, instantOrNull } from "#lib/store/instant.ts";
import { pullOfRun, pullRow } from "#lib/store/pulls/pull-rows.ts";
import type { Schema } from "#lib/store/schema.ts";
import { tokensOf } from "#lib/store/turns/turn-figures.ts";
import { queuedStates } from "#lib/store/turns/turns.ts";

export type RunRow = ReturnType<typeof runRow>;

/**
 * SQL: the position of a queued run among those of its organization, in the order in which engines claim them; otherwise null.
 */
const queuePosition = sql<number | null>`case when runs.status = 'queued' then (
  select count(*) from runs as ahead where ahead.status = 'queued' and ahead.organization_id = runs.organization_id
  and (ahead.queued_at, ahead.id) <= (runs.queued_at, runs.id)
) end`;

/** The selected rows of an organization with {@link queuePosition}: the queue is read once, however many they are. */
export async function withQueuePositions(
  database: Kysely<Schema>,
  organizationId: number,
  rows: SelectedRun[],
): Promise<SelectedRun[]> {
  const queued = rows.filter(({ status }) => status === "queued").map(({ id }) => id);
  if (queued.length === 0) return rows;
  const queue = database
    .selectFrom("runs")
    .where("status", "=", "queued")
    .where("organization_id", "=", organizationId)
    .select(["id", sql<number>`row_number() over (order by queued_at, id)`.as("position")])
    .as("queue");
  const found = await database.selectFrom(queue).selectAll().where("queue.id", "in", queued).execute();
  const positions = new Map(found.map(({ id, position }) => [id, position]));
  return rows.map((row) => ({ ...row, queue_position: positions.get(row.id) ?? null }));
}

/** SQL: total time of a run's ended turns in ms; null before the first, and for an external run, whose turns may overlap. */
const workMs = sql<
  number | null
>`case when runs.started_at is not null and runs.agent <> ${sql.lit(externalAgent)} then (
  select coalesce(sum(finished_at - started_at), 0) from turns where run_id = runs.id and finished_at is not null
) end`;

/** SQL: when the active turn started; null between turns. */
const turnStartedAt = sql<number | null>`(
  select max(started_at) from turns where run_id = runs.id and state = 'active'
)`;

/** SQL: number of the latest turn that has started; null before the first. */
const latestTurn = sql<number | null>`(
  select max(number) from turns where run_id = runs.id and state in ('active', 'done')
)`;

/** SQL: number of turns that ended in failure. */
const failedTurns = sql<number>`(
  select count(*) from turns where run_id = runs.id and end_status in (${sql.join(failureStatuses.map((status) => sql.lit(status)))})
)`;

/** Runs with the columns {@link runRow} reads: the prompt is that of the first turn. For a list, see {@link withQueuePositions}. */
export function selectRuns(database: Kysely<Schema>, position: RawBuilder<number | null> = queuePosition) {
  return database
    .selectFrom("runs")
    .innerJoin("turns as first_turn", (join) =>
      join.onRef("first_turn.run_id", "=", "runs.id").on("first_turn.number", "=", sql.lit(1)),
    )
    .leftJoin("repositories", "repositories.id", "runs.repository_id")
    .leftJoin("users", "users.id", "runs.user_id")
    .select([
      "runs.id",
      "runs.organization_id",
      "runs.status",
      "runs.created_at",
      "runs.started_at",
      "runs.finished_at",
      "first_turn.prompt",
      "runs.result",
      "runs.summary",
      "runs.result_turn",
      "runs.result_seq",
      "runs.source_type",
      "runs.metadata",
      "runs.repository_id",
      "repositories.full_name as repository_full_name",
      "runs.base_branch",
      "runs.branch",
      "runs.agent",
      "runs.model",
      "runs.permission_mode",
      "runs.mode",
      "runs.turn_timeout_s",
      "runs.user_id",
      "users.full_name as user_full_name",
      "users.email as user_email",
      "runs.total_logs",
      "runs.turns",
      (eb) =>
        eb
          .selectFrom("turns as queued")
          .whereRef("queued.run_id", "=", "runs.id")
          .where("queued.state", "in", queuedStates)
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .$asScalar()
          .as("queued_turns"),
      position.as("queue_position"),
      workMs.as("work_ms"),
      turnStartedAt.as("turn_started_at"),
      latestTurn.as("latest_turn"),
      failedTurns.as("failed_turns"),
      "runs.tokens",
      "runs.cost_usd",
      "runs.question",
      "runs.answer",
      "runs.changes",
      "runs.left_out",
      "runs.banned_at",
      "runs.pushed",
      "runs.steerable",
      "runs.isolation",
      pullOfRun.as("pull"),
    ]);
}

/** A row of {@link selectRuns}. */
export type SelectedRun = Awaited<ReturnType<ReturnType<typeof selectRuns>["execute"]>>[number];

/** Converts a selected run to the store's form. */
export function runRow(row: SelectedRun) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    createdAt: instantOf(row.created_at),
    startedAt: instantOrNull(row.started_at),
    finishedAt: instantOrNull(row.finished_at),
    /** Total time of its ended turns in milliseconds. Absent in what older versions wrote. */
    workMs: row.work_ms,
    /** When the active turn started. Absent in what older versions wrote. */
    turnStartedAt: instantOrNull(row.turn_started_at),
    /** Number of the latest turn that has started; null before the first. Absent in what older versions wrote. */
    latestTurn: row.latest_turn,
    /** Number of its turns that ended in failure. Absent in what older versions wrote. */
    failedTurns: row.failed_turns,
    prompt: row.prompt,
    /** The run's last answer, the number of the turn that gave it, and the run's number of entries at that time. */
    result: row.result,
    summary: row.summary,
    resultTurn: row.result_turn,
    resultSeq: row.result_seq,
    sourceType: row.source_type,
    metadata: JsonObject.parse(parseExactJson(row.metadata)),
    repositoryId: row.repository_id,
    repositoryFullName: row.repository_full_name,
    baseBranch: row.base_branch,
    branch: row.branch,
    agent: row.agent,
    model: row.model,
    permissionMode: row.permission_mode,
    /** The agent mode that was requested, or null. */
    mode: row.mode,
    /** Null if only the engine's own limit applies. */
    turnTimeoutS: row.turn_timeout_s,
    userId: row.user_id,
    userName: row.user_full_name ?? row.user_email,
    totalLogs: row.total_logs,
    /** Number of turns created and not withdrawn; `queuedTurns` of them have not started. */
    turns: row.turns,
    queuedTurns: row.queued_turns ?? 0,
    /** Place among the organization's queued runs, from 1; null unless it is queued. Absent in what older versions wrote. */
    queuePosition: row.queue_position,
    tokens: tokensOf(row.tokens),
    costUsd: row.cost_usd,
    question:
      row.question === null ? null : { ...Question.parse(parseExactJson(row.question)), answered: row.answer !== null },
    changes: row.changes === null ? null : Changes.parse(JSON.parse(row.changes)),
    /**
     * Number of pieces of work in its checkout that its branch does not contain, at the end of its last turn. Absent in what older
     * versions wrote.
     */
    leftOut: row.left_out,
    /** Since when pull request events do not wake it. */
    bannedAt: instantOrNull(row.banned_at),
    /** The last push of its branch that somebody asked for. Absent in what older versions wrote. */
    pushed: row.pushed === null ? null : LastPush.parse(JSON.parse(row.pushed)),
    /** Messages reach its agent between two steps. */
    isSteerable: row.steerable === 1,
    /** Isolation of its agent in its last turn; null before the first. */
    isolation: row.isolation,
    /** Its pull request, or null. Absent in what older versions wrote. */
    pull: row.pull === null ? null : pullRow(JSON.parse(row.pull)),
  };
}

/** The run's state inside a transaction. */
export async function readRun(trx: Kysely<Schema>, runId: number): Promise<RunRow> {
  return runRow(await selectRuns(trx).where("runs.id", "=", runId).executeTakeFirstOrThrow());
}
