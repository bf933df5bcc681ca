import type { Kysely, Transaction } from "kysely";
import type { Schema } from "#lib/store/schema.ts";
import type { PullRow } from "./pull-rows.ts";

/**
 * Makes the pull request's conversation on the host belong to its run. If a message arrived before the pull request was stored, it
 * started another run; from now on that run works on the pull request too. There is no other way to get two runs.
 */
export async function claimConversation(
  trx: Transaction<Schema>,
  { organizationId, runId }: PullRow,
  { integrationId, key }: { integrationId: number; key: string },
  nowMs: number,
): Promise<void> {
  const there = await trx.selectFrom("integrations").select("id").where("id", "=", integrationId).executeTakeFirst();
  if (there === undefined) return;
  const known = await trx
    .selectFrom("conversations")
    .select("run_id")
    .where("integration_id", "=", integrationId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (known?.run_id === runId) return;
  if (known !== undefined)
    await trx.updateTable("runs").set({ pull_of: runId }).where("id", "=", known.run_id).execute();
  await trx
    .insertInto("conversations")
    .values({ organization_id: organizationId, integration_id: integrationId, key, run_id: runId, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(["integration_id", "key"]).doUpdateSet({ run_id: runId }))
    .execute();
}

/** The other runs of the organization that work on the same pull request as this one, oldest first. */
export async function findSiblingRuns(
  database: Kysely<Schema>,
  organizationId: number,
  runId: number,
): Promise<number[]> {
  const own = await database
    .selectFrom("runs")
    .select("pull_of")
    .where("id", "=", runId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (own === undefined) return [];
  const { pull_of: leader } = own;
  const mates = await database
    .selectFrom("runs")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "!=", runId)
    .where((eb) =>
      eb.or([
        eb("pull_of", "=", runId),
        ...(leader === null ? [] : [eb("id", "=", leader), eb("pull_of", "=", leader)]),
      ]),
    )
    .orderBy("id")
    .execute();
  return mates.map(({ id }) => id);
}
