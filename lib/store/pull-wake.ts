import { sql, type Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** Where something happened on a host: to a pull request, to a commit or to a branch. */
export type PullPlace = {
  integrationId: number;
  fullName: string;
  number?: number;
  commit?: string;
  branch?: string;
};

/** A push with hundreds of checks has more than a thousand events: between two looks at its checks is at least this time. */
const betweenLooksMs = 10_000;

/** Makes what is to be looked at there due now; a closed pull request too, if it is named: it may be open again. How many there were. */
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
  for (const { id, stage, lookedMs } of found) {
    const soonestMs = stage === "checking" ? Math.max(nowMs, (lookedMs ?? 0) + betweenLooksMs) : nowMs;
    const woken = await trx
      .updateTable("host_tasks")
      .set({ due_at: sql<number>`min(due_at, ${soonestMs})` })
      .where("pull_request_id", "=", id)
      .executeTakeFirst();
    count += Number(woken.numUpdatedRows);
  }
  return count;
}
