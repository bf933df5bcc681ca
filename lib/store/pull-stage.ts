import { sql, type Transaction } from "kysely";
import { externalAgent } from "#lib/contract/agent-ids.ts";
import { CheckSuiteSettings, checkSuiteDefaults } from "#lib/contract/check-suite.ts";
import { PullSettings, pullSettingsDefaults } from "#lib/contract/pull-settings.ts";
import { Changes } from "#lib/contract/run.ts";
import type { EndStatus } from "#lib/contract/run-status.ts";
import { settingsRow } from "./organization-settings.ts";
import { findPull, type PullRow } from "./pull-rows.ts";
import type { Schema } from "./schema.ts";

/** What somebody asks for with a pull request; null: as before, or as the settings say. */
export type PullWish = { title: string | null; body: string | null; draft: boolean | null; baseBranch: string | null };

const noWish: PullWish = { title: null, body: null, draft: null, baseBranch: null };

/** Stored settings; what an older version did not know has its default. */
export function readPullSettings(json: string): PullSettings {
  return PullSettings.parse({ ...pullSettingsDefaults, ...JSON.parse(json) });
}

/** A repository's settings for pull requests. */
export async function pullSettingsOf(trx: Transaction<Schema>, repositoryId: number): Promise<PullSettings> {
  const row = await trx
    .selectFrom("pull_settings")
    .select("settings")
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
  return row === undefined ? pullSettingsDefaults : readPullSettings(row.settings);
}

/**
 * In the transaction that ends a turn: whether the run's work is to be pushed and checked now. It is where that was going on
 * when the turn began, and where the repository's pull requests are opened by themselves and the organization allows any. If so,
 * it is due at once.
 */
export async function evaluatesWork(
  trx: Transaction<Schema>,
  runId: number,
  endStatus: EndStatus,
  nowMs: number,
): Promise<boolean> {
  if (endStatus !== "completed") return false;
  const run = await trx
    .selectFrom("runs")
    .innerJoin("organizations", "organizations.id", "runs.organization_id")
    .select(["agent", "source_type", "repository_id", "branch", "banned_at", "changes", "name", "settings"])
    .where("runs.id", "=", runId)
    .executeTakeFirstOrThrow();
  const { repository_id: repositoryId, branch } = run;
  if (repositoryId === null || branch === null || run.banned_at !== null || run.agent === externalAgent) return false;
  if (run.source_type === "SETUP_COMMANDS") return false;
  const pull = await findPull(trx, runId);
  if (pull?.state === "closed" || pull?.state === "merged") return false;
  if (pull === null || pull.stage === null) {
    if (!settingsRow(run).enablePrCreation) return false;
    const { mode } = await pullSettingsOf(trx, repositoryId);
    if (mode !== "automatic" || run.changes === null || Changes.parse(JSON.parse(run.changes)).files === 0)
      return false;
  }
  await beginStage(trx, { runId, repositoryId, branch, endStatus, userId: null, wish: noWish }, nowMs);
  return true;
}

/** Whether pull requests of a run's repository, and of its organization, are not turned off. */
export async function allowsPulls(trx: Transaction<Schema>, runId: number): Promise<boolean> {
  const run = await trx
    .selectFrom("runs")
    .innerJoin("organizations", "organizations.id", "runs.organization_id")
    .select(["repository_id", "name", "settings"])
    .where("runs.id", "=", runId)
    .executeTakeFirstOrThrow();
  if (run.repository_id === null || !settingsRow(run).enablePrCreation) return false;
  return (await pullSettingsOf(trx, run.repository_id)).mode !== "off";
}

/** Lets the stage begin with the run's commits as they are now: writes or updates its row, which is due at once. */
export async function beginStage(
  trx: Transaction<Schema>,
  begun: {
    runId: number;
    repositoryId: number;
    branch: string;
    endStatus: EndStatus;
    userId: number | null;
    wish: PullWish;
  },
  nowMs: number,
): Promise<void> {
  const { runId, repositoryId, branch, endStatus, userId, wish } = begun;
  const settings = await pullSettingsOf(trx, repositoryId);
  const { title, body, draft, baseBranch } = wish;
  const wished = {
    ...(title === null ? {} : { title }),
    ...(body === null ? {} : { body }),
    ...(draft === null ? {} : { draft: Number(draft) }),
    ...(baseBranch === null ? {} : { base_branch: baseBranch }),
    ...(userId === null ? {} : { user_id: userId }),
  };
  const run = await trx
    .selectFrom("runs")
    .select(["organization_id", "user_id", "base_branch"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const { id } = await trx
    .insertInto("pull_requests")
    .values({
      organization_id: run.organization_id,
      repository_id: repositoryId,
      run_id: runId,
      user_id: run.user_id,
      state: "opening",
      stage: "weighing",
      title: null,
      body: null,
      draft: Number(settings.draft),
      head_branch: branch,
      base_branch: settings.base_branch ?? run.base_branch,
      rounds_max: await roundsMaxOf(trx, repositoryId),
      end_status: endStatus,
      created_at: nowMs,
      ...wished,
    })
    .onConflict((conflict) =>
      conflict.column("run_id").doUpdateSet({
        stage: "weighing",
        state: sql`case when pull_requests.number is null then 'opening' else pull_requests.state end`,
        end_status: endStatus,
        error: null,
        ...wished,
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  await makeDue(trx, id, nowMs);
}

/** Makes the pull request's task due at that time, whoever has it now. */
export async function makeDue(trx: Transaction<Schema>, pullId: number, atMs: number): Promise<void> {
  await trx
    .insertInto("host_tasks")
    .values({ pull_request_id: pullId, due_at: atMs })
    .onConflict((conflict) =>
      conflict.column("pull_request_id").doUpdateSet({
        due_at: atMs,
        tries: 0,
        lease_epoch: sql`host_tasks.lease_epoch + 1`,
        lease_expires_at: null,
      }),
    )
    .execute();
}

/** While this turn is at work nothing is done for its pull request; what was begun goes on with the turn's work. */
export async function pauseStage(trx: Transaction<Schema>, runId: number, turn: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull === null || pull.stage === null) return;
  await trx
    .updateTable("pull_requests")
    .set({ stage: "fixing", fix_turn: pull.fixTurn === turn ? turn : null })
    .where("id", "=", pull.id)
    .execute();
  await trx.deleteFrom("host_tasks").where("pull_request_id", "=", pull.id).execute();
}

/** The turn that was to fix something will not start: what is there is all there is. */
export async function resumeStage(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull === null || pull.stage !== "fixing") return;
  await trx.updateTable("pull_requests").set({ stage: "weighing" }).where("id", "=", pull.id).execute();
  await makeDue(trx, pull.id, nowMs);
}

/** Nothing more is done with the run's work, unless somebody asks for it again. */
export async function endStage(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull === null || pull.stage === null) return;
  await trx.updateTable("pull_requests").set({ stage: null, fix_turn: null }).where("id", "=", pull.id).execute();
  await restTask(trx, pull, nowMs);
}

/** From time to time it is asked what became of an open pull request. */
const restMs = 30 * 60_000;

/** What is due for a pull request that is not worked on: a look at its state while it is open, else nothing. */
export async function restTask(
  trx: Transaction<Schema>,
  { id, state }: Pick<PullRow, "id" | "state">,
  nowMs: number,
): Promise<void> {
  if (state === "open") await makeDue(trx, id, nowMs + restMs);
  else await trx.deleteFrom("host_tasks").where("pull_request_id", "=", id).execute();
}

async function roundsMaxOf(trx: Transaction<Schema>, repositoryId: number): Promise<number> {
  const row = await trx
    .selectFrom("check_suites")
    .select("settings")
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
  const settings = row === undefined ? checkSuiteDefaults : CheckSuiteSettings.parse(JSON.parse(row.settings));
  return settings.check_retry_count;
}
