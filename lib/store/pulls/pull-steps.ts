import { sql, type Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { instantOf, millisecondsOf } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { addWaitingTurn } from "#lib/store/turns/turns.ts";
import type { PullRow } from "./pull-rows.ts";

/** Most names of checks kept per repository. */
export const namesMax = 200;

/** Fields of a pull request that its steps change. */
export type PullChanges = Partial<
  Omit<PullRow, "id" | "organizationId" | "repositoryId" | "runId" | "userId" | "endStatus" | "createdAt" | "fixTurn">
>;

/** Adds to the entry of a round (FIX_PR_ERRORS) the number of its turn; returns other entries unchanged. */
export function withTurn(entry: NewEntry, turn: number): NewEntry {
  const { message_type, observation } = entry;
  const isRound = message_type === "FIX_PR_ERRORS" && typeof observation === "object" && observation !== null;
  return isRound ? { ...entry, observation: { ...observation, turn } } : entry;
}

/** Adds the turn that is to fix the checks, and returns its number; the engine claims the run for it. */
export async function askAgent(
  trx: Transaction<Schema>,
  pull: PullRow,
  prompt: string,
  nowMs: number,
): Promise<number> {
  await addWaitingTurn(trx, pull.runId, { prompt, images: [], model: null }, null, nowMs);
  const { number } = await trx
    .selectFrom("turns")
    .select("number")
    .where("run_id", "=", pull.runId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  await trx.updateTable("pull_requests").set({ stage: "fixing", fix_turn: number }).where("id", "=", pull.id).execute();
  await trx.deleteFrom("host_tasks").where("pull_request_id", "=", pull.id).execute();
  return number;
}

/**
 * Appends an entry to another run of the organization. If that run has ended, the entry gets the time of its end, so that no entry
 * is later than the end.
 */
export async function appendToRun(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  { organizationId }: Pick<PullRow, "organizationId">,
  { runId, entry }: { runId: number; entry: NewEntry },
  nowMs: number,
): Promise<void> {
  const run = await trx
    .selectFrom("runs")
    .select("finished_at")
    .where("id", "=", runId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (run === undefined) return;
  const created_at = instantOf(run.finished_at ?? nowMs);
  await appender.append(trx, runId, writeEntries([{ ...entry, created_at }]));
}

/** Stores names of checks seen, the latest 200 per repository. */
export async function noteNames(
  trx: Transaction<Schema>,
  repositoryId: number,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const name of new Set(names)) {
    await trx
      .insertInto("check_names")
      .values({ repository_id: repositoryId, name, seen_at: nowMs })
      .onConflict((conflict) => conflict.columns(["repository_id", "name"]).doUpdateSet({ seen_at: nowMs }))
      .execute();
  }
  if (names.length === 0) return;
  const newest = trx
    .selectFrom("check_names")
    .select("name")
    .where("repository_id", "=", repositoryId)
    .orderBy("seen_at", "desc")
    .limit(namesMax);
  await trx
    .deleteFrom("check_names")
    .where("repository_id", "=", repositoryId)
    .where("name", "not in", newest)
    .execute();
}

/** Columns of a pull request's changes. An integration that was removed meanwhile is left out: the pull request stays known. */
export function columnsOf(changes: PullChanges) {
  const { integrationId, fullName, state, stage, verdict, reason, number, url, title, body, isDraft } = changes;
  const { headBranch, headCommit, baseBranch, rounds, roundsMax, attempts, failing, checks, watch, error } = changes;
  const { openedAt, closedAt } = changes;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const instant = (value: string | null) => (value === null ? null : millisecondsOf(value));
  return {
    ...(integrationId === undefined
      ? {}
      : { integration_id: sql<number>`(select id from integrations where id = ${integrationId})` }),
    ...(fullName === undefined ? {} : { full_name: fullName }),
    ...(state === undefined ? {} : { state }),
    ...(stage === undefined ? {} : { stage }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(reason === undefined ? {} : { reason }),
    ...(number === undefined ? {} : { number }),
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(isDraft === undefined ? {} : { draft: Number(isDraft) }),
    ...(headBranch === undefined ? {} : { head_branch: headBranch }),
    ...(headCommit === undefined ? {} : { head_commit: headCommit }),
    ...(baseBranch === undefined ? {} : { base_branch: baseBranch }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(roundsMax === undefined ? {} : { rounds_max: roundsMax }),
    ...(attempts === undefined ? {} : { attempts: JSON.stringify(attempts) }),
    ...(failing === undefined ? {} : { failing: JSON.stringify(failing) }),
    ...(checks === undefined ? {} : { checks: json(checks) }),
    ...(watch === undefined ? {} : { watch: JSON.stringify(watch) }),
    ...(error === undefined ? {} : { error: json(error) }),
    ...(openedAt === undefined ? {} : { opened_at: instant(openedAt) }),
    ...(closedAt === undefined ? {} : { closed_at: instant(closedAt) }),
  };
}
