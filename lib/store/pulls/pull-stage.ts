import { sql, type Transaction } from "kysely";
import { CheckSuiteSettings, checkSuiteDefaults, roundsMax } from "#lib/contract/repositories/check-suite.ts";
import { PullSettings, pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { Changes } from "#lib/contract/runs/changes.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import { isFolderSource } from "#lib/shown-source.ts";
import { settingsRow } from "#lib/store/people/organization-settings.ts";
import type { Schema } from "#lib/store/schema.ts";
import { findPull, type PullRow } from "./pull-rows.ts";
import { betweenLooksMs } from "./pull-wake.ts";

/** A person's request for a pull request; null: as before, or as the settings say. */
export type PullOptions = {
  title: string | null;
  body: string | null;
  draft: boolean | null;
  baseBranch: string | null;
};

const noOptions: PullOptions = { title: null, body: null, draft: null, baseBranch: null };

/** Stored settings; fields unknown to the version that wrote them get their defaults. */
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
 * Call it in the transaction that ends a turn. If the turn completed, begins the work on the run's pull request, due at once, when
 * that work was in progress when the turn began, or when there are changes and pull requests are opened automatically, which the
 * organization must allow and a folder never does. Returns whether the work has begun.
 */
export async function beginEvaluation(
  trx: Transaction<Schema>,
  runId: number,
  endStatus: EndStatus,
  nowMs: number,
): Promise<boolean> {
  if (endStatus !== "completed") return false;
  const run = await trx
    .selectFrom("runs")
    .innerJoin("organizations", "organizations.id", "runs.organization_id")
    .leftJoin("repositories", "repositories.id", "runs.repository_id")
    .select(["agent", "source_type", "repository_id", "branch", "banned_at", "changes", "repositories.source"])
    .select(["organizations.name", "organizations.settings"])
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
    if (isFolderSource(run.source ?? "")) return false;
    if (mode !== "automatic" || run.changes === null || Changes.parse(JSON.parse(run.changes)).files === 0)
      return false;
  }
  await beginStage(trx, { runId, repositoryId, branch, endStatus, userId: null, options: noOptions }, nowMs);
  return true;
}

/** Whether pull requests are enabled for a run's repository and its organization. */
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

/** Begins the stage with the run's current commits: writes or updates its row, which is due at once. */
export async function beginStage(
  trx: Transaction<Schema>,
  begun: {
    runId: number;
    repositoryId: number;
    branch: string;
    endStatus: EndStatus;
    userId: number | null;
    options: PullOptions;
  },
  nowMs: number,
): Promise<void> {
  const { runId, repositoryId, branch, endStatus, userId, options } = begun;
  const settings = await pullSettingsOf(trx, repositoryId);
  const requested = { ...optionColumns(options), ...(userId === null ? {} : { user_id: userId }) };
  const run = await trx
    .selectFrom("runs")
    .select(["organization_id", "user_id", "base_branch"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const usualBase = settings.base_branch ?? run.base_branch;
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
      base_branch: usualBase,
      rounds_max: await roundsMaxOf(trx, repositoryId),
      end_status: endStatus,
      created_at: nowMs,
      ...requested,
    })
    .onConflict((conflict) =>
      conflict.column("run_id").doUpdateSet({
        stage: "weighing",
        // A branch that was pushed stays there, whatever becomes of this.
        state: sql`iif(pull_requests.number is null and pull_requests.state <> 'pushed', 'opening', pull_requests.state)`,
        end_status: endStatus,
        // The settings may name another branch by now.
        base_branch: sql`iif(pull_requests.error ->> 'code' = 'no_branch', ${usualBase}, pull_requests.base_branch)`,
        error: null,
        ...requested,
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  await makeDue(trx, id, nowMs);
}

/** Names of the options that a request sets; see WatchNotes in lib/engine/pull-request. */
export function givenBy({ title, body, draft }: PullOptions): string[] {
  const given = { title, body, draft };
  return Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [name]));
}

/**
 * Takes the options of another request into the work on a pull request, unless it is being opened or its checks are watched.
 * Returns why not, or null.
 */
export async function addOptions(
  trx: Transaction<Schema>,
  pull: PullRow,
  { userId, ...options }: PullOptions & { userId: number | null },
  nowMs: number,
): Promise<"under_way" | "base_branch" | null> {
  const { baseBranch } = options;
  const given = givenBy(options);
  const changesBase = baseBranch !== null && baseBranch !== pull.baseBranch;
  if (given.length === 0 && !changesBase) return null;
  if (pull.stage === "opening" || pull.stage === "checking") return "under_way";
  if (changesBase && pull.number !== null) return "base_branch";
  const before = Array.isArray(pull.watch.given) ? pull.watch.given : [];
  await trx
    .updateTable("pull_requests")
    .set({
      ...optionColumns(options),
      ...(userId === null ? {} : { user_id: userId }),
      watch: JSON.stringify({ ...pull.watch, asked: true, given: [...new Set([...before, ...given])] }),
    })
    .where("id", "=", pull.id)
    .execute();
  // A step in progress does not know of them, so it is done again.
  if (pull.stage !== "fixing") await makeDue(trx, pull.id, nowMs);
  return null;
}

function optionColumns({ title, body, draft, baseBranch }: PullOptions) {
  return {
    ...(title === null ? {} : { title }),
    ...(body === null ? {} : { body }),
    ...(draft === null ? {} : { draft: Number(draft) }),
    ...(baseBranch === null ? {} : { base_branch: baseBranch }),
  };
}

/** Makes the pull request's task due at that time, whoever holds it now. */
export async function makeDue(trx: Transaction<Schema>, pullId: number, atMs: number): Promise<void> {
  await trx
    .insertInto("host_tasks")
    .values({ pull_request_id: pullId, due_at: atMs })
    .onConflict((conflict) =>
      conflict.column("pull_request_id").doUpdateSet({
        due_at: atMs,
        tries: 0,
        woken: 0,
        lease_epoch: sql`host_tasks.lease_epoch + 1`,
        lease_expires_at: null,
      }),
    )
    .execute();
}

/** While this turn is at work, nothing is done for its pull request; unfinished work continues with the turn's commits. */
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

/** The turn that was to fix something will not start, so the existing commits are final. */
export async function resumeStage(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull === null || pull.stage !== "fixing") return;
  await trx.updateTable("pull_requests").set({ stage: "weighing" }).where("id", "=", pull.id).execute();
  await makeDue(trx, pull.id, nowMs);
}

/** The state of a pull request on which the work has ended: one that was not opened until then has failed. */
export const stateAtEnd = sql<PullRow["state"]>`iif(number is null and state = 'opening', 'failed', state)`;

/** After this time, the host has answered any request of a step that was ended: steps renew a lease of a minute. */
const answeredMs = 120_000;

/**
 * Ends the work on the pull request until somebody asks for it again. If it was being opened, the host is checked later, because
 * it may have opened it already.
 */
export async function endStage(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull === null || pull.stage === null) return;
  const mayBeThere = pull.stage === "opening" && pull.number === null;
  const ended = { stage: null, fix_turn: null, ...(mayBeThere ? {} : { state: stateAtEnd }) };
  await trx.updateTable("pull_requests").set(ended).where("id", "=", pull.id).execute();
  if (mayBeThere) await makeDue(trx, pull.id, nowMs + answeredMs);
  else await restTask(trx, pull.id, nowMs);
}

/** Watches the pull request of a run that ended during the work on it, until a resume continues that work. */
export async function watchEnded(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  const pull = await findPull(trx, runId);
  if (pull !== null && pull.stage !== null) await restTask(trx, pull.id, nowMs);
}

/** Interval between checks of an open pull request's state when there is nothing else to do. */
const restMs = 30 * 60_000;

/** The same for a closed one, which may be reopened on the host. */
const closedRestMs = 24 * 3_600_000;

/** Time after which a closed one is no longer looked at. */
const closedMaxMs = 30 * 24 * 3_600_000;

/**
 * Schedules the next check of a pull request's state when there is nothing else to do: every half hour while it is open, once a day
 * for 30 days after it was closed, or in 10 seconds if an event on the host arrived during the last check. Removes the task in
 * other states. A reopened pull request loses the verdict `closed`.
 */
export async function restTask(trx: Transaction<Schema>, pullId: number, nowMs: number): Promise<void> {
  const {
    state,
    closed_at: closedAt,
    woken,
  } = await trx
    .selectFrom("pull_requests")
    .leftJoin("host_tasks", "host_tasks.pull_request_id", "pull_requests.id")
    .select(["state", "closed_at", "woken"])
    .where("id", "=", pullId)
    .executeTakeFirstOrThrow();
  if (state === "open") {
    const none = { verdict: null, reason: null };
    await trx.updateTable("pull_requests").set(none).where("id", "=", pullId).where("verdict", "=", "closed").execute();
    await makeDue(trx, pullId, nowMs + (woken === 1 ? betweenLooksMs : restMs));
  } else if (state === "closed" && nowMs - (closedAt ?? nowMs) < closedMaxMs)
    await makeDue(trx, pullId, nowMs + (woken === 1 ? betweenLooksMs : closedRestMs));
  else await trx.deleteFrom("host_tasks").where("pull_request_id", "=", pullId).execute();
}

async function roundsMaxOf(trx: Transaction<Schema>, repositoryId: number): Promise<number> {
  const row = await trx
    .selectFrom("check_suites")
    .select("settings")
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
  const settings = row === undefined ? checkSuiteDefaults : CheckSuiteSettings.parse(JSON.parse(row.settings));
  return roundsMax(settings);
}
