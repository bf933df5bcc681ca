import { claimOne } from "./claim-one.ts";
import type { Dialect } from "./dialect.ts";
import { instantOf, type Now } from "./instant.ts";
import { runIn, type Statement, statement } from "./statement.ts";

/** What every task has. */
type TaskRow = { id: number; organization_id: number; integration_id: number; tries: number; created_at: number };

/**
 * Tasks for a connected service, from the oldest on: a claimed one is due again after its lease, and a postponed one when it says,
 * until its state is no longer `waiting`. `due` finds the next; `freeClaims` frees what an engine held that died.
 */
export function taskQueue<Row extends TaskRow>(
  dialect: Dialect,
  table: "host_events" | "replies",
  due: Statement<{ now: number }, Row>,
  now: Now,
) {
  const hold = statement<{ id: number; until: number }>(
    `update ${table} set due_at = :until, tries = tries + 1, claimed = 1 where id = :id`,
  );
  const release = statement<{ id: number; until: number }>(
    `update ${table} set due_at = :until, claimed = 0 where id = :id and state = 'waiting'`,
  );
  return {
    /** The task that has been due longest, and its row as it was; null if none is due. */
    claim(leaseMs: number) {
      const nowMs = now();
      return claimOne(dialect, due, { now: nowMs }, async (trx, row) => {
        await runIn(trx, hold, { id: row.id, until: nowMs + leaseMs });
        const { id, organization_id: organizationId, integration_id: integrationId } = row;
        const task = { id, organizationId, integrationId, tries: row.tries + 1, createdAt: instantOf(row.created_at) };
        return { task, row };
      });
    },

    /** Makes the task due again after that time. */
    async postpone(id: number, waitMs: number): Promise<void> {
      await runIn(dialect.writer, release, { id, until: now() + waitMs });
    },
  };
}
