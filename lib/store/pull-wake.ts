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

/** Makes what is to be looked at there due now; a closed pull request too, if it is named: it may be open again. How many there were. */
export async function wakePulls(
  trx: Transaction<Schema>,
  { integrationId, fullName, number, commit, branch }: PullPlace,
  nowMs: number,
): Promise<number> {
  const found = await trx
    .selectFrom("pull_requests")
    .select(["id", "state", "stage"])
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
  const due = { due_at: nowMs };
  const closed = found.filter(({ state, stage }) => stage === null && state === "closed" && number !== undefined);
  for (const { id } of closed) {
    await trx
      .insertInto("host_tasks")
      .values({ pull_request_id: id, ...due })
      .onConflict((conflict) => conflict.column("pull_request_id").doNothing())
      .execute();
  }
  const ids = found.map(({ id }) => id);
  const woken = await trx.updateTable("host_tasks").set(due).where("pull_request_id", "in", ids).executeTakeFirst();
  return Number(woken.numUpdatedRows);
}
