import { sql, type Transaction } from "kysely";
import type { Schema } from "#lib/store/schema.ts";

/** Place of an event on a host: a pull request, a commit or a branch. */
export type PullPlace = {
  integrationId: number;
  fullName: string;
  number?: number;
  commit?: string;
  branch?: string;
};

/** Minimum time between two reads of a push's checks: hundreds of checks cause more than a thousand events. */
export const betweenLooksMs = 10_000;

/**
 * Makes the tasks of the pull requests at this place due now, also of a closed one if the event names its number: it may have been
 * reopened. One that is being checked is checked again soon after, because the event may be newer. One whose last step failed
 * keeps its time, so that events do not use up its tries. Returns the number of tasks.
 */
export async function wakePulls(
  trx: Transaction<Schema>,
  { integrationId, fullName, number, commit, branch }: PullPlace,
  nowMs: number,
): Promise<number> {
  const found = await trx
    .selectFrom("pull_requests")
    .select(["id", "state", "stage"])
    .select(sql<number | null>`json_extract(watch, '$.lookedMs')`.as("lookedMs"))
    .where("integration_id", "=", integrationId)
    .where(sql`lower(full_name)`, "=", fullName.toLowerCase())
    .where((pulls) =>
      pulls.or([
        ...(number === undefined ? [] : [pulls("number", "=", number)]),
        ...(commit === undefined ? [] : [pulls("head_commit", "=", commit)]),
        ...(branch === undefined ? [] : [pulls("head_branch", "=", branch)]),
      ]),
    )
    .execute();
  const closed = found.filter(({ state, stage }) => stage === null && state === "closed" && number !== undefined);
  for (const { id } of closed) {
    await trx
      .insertInto("host_tasks")
      .values({ pull_request_id: id, due_at: nowMs })
      .onConflict((conflict) => conflict.column("pull_request_id").doNothing())
      .execute();
  }
  let count = 0;
  for (const { id, state, stage, lookedMs } of found) {
    if (number === undefined && stage === null && state === "closed") continue;
    // A clock that was set back leaves a look after now, which holds up nothing.
    const lastMs = lookedMs === null || lookedMs > nowMs ? 0 : lookedMs;
    const soonestMs = stage === "checking" ? Math.max(nowMs, lastMs + betweenLooksMs) : nowMs;
    const woken = await trx
      .updateTable("host_tasks")
      .set({
        due_at: sql<number>`case when tries > 0 then due_at else min(due_at, ${soonestMs}) end`,
        woken: sql<number>`case when lease_expires_at > ${nowMs} then 1 else woken end`,
      })
      .where("pull_request_id", "=", id)
      .executeTakeFirst();
    count += Number(woken.numUpdatedRows);
  }
  return count;
}
