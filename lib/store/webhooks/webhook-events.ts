import { randomUUID } from "node:crypto";
import type { Expression, ExpressionBuilder, SqlBool, Transaction } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import { isEnd, type RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { type RunRow, readRun } from "#lib/store/runs/run-rows.ts";
import type { Schema } from "#lib/store/schema.ts";
import { active, Events } from "./webhooks.ts";

/**
 * Writes what happens to a run in the transaction that changes its status: the run as it is now, once, and one pending delivery
 * per webhook. The run's own webhooks replace the organization's.
 */
export async function noteWebhookEvent(
  trx: Transaction<Schema>,
  runId: number,
  { from, to }: { from: RunStatus; to: RunStatus },
  nowMs: number,
): Promise<void> {
  const type = eventOf(from, to);
  if (type === null) return;
  const run = await readRun(trx, runId);
  const { organizationId: organization_id } = run;
  const webhooks = await trx
    .selectFrom("webhooks")
    .select(["webhooks.id", "webhooks.run_id", "webhooks.events", "webhooks.enabled"])
    .where("webhooks.organization_id", "=", organization_id)
    .where((eb) => eb.or([eb("webhooks.run_id", "is", null), eb("webhooks.run_id", "=", runId)]))
    .where("webhooks.state", "=", active)
    .orderBy("webhooks.id")
    .execute();
  const own = webhooks.filter(({ run_id }) => run_id !== null);
  const listening = (own.length > 0 ? own : webhooks).filter(
    ({ enabled, events }) => enabled === 1 && Events.parse(JSON.parse(events)).includes(type),
  );
  const { id: event_id } = await trx
    .insertInto("webhook_events")
    .values({
      organization_id,
      run_id: runId,
      message_id: `msg_${randomUUID().replaceAll("-", "")}`,
      type,
      created_at: nowMs,
      run: JSON.stringify(run),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (listening.length === 0) return;
  await trx
    .insertInto("webhook_deliveries")
    .values(
      listening.map(({ id }) => ({
        organization_id,
        webhook_id: id,
        event_id,
        run_id: runId,
        state: "pending" as const,
        created_at: nowMs,
        due_at: nowMs,
      })),
    )
    .execute();
}

/** Something that happened to a run. */
export interface EventRow {
  id: number;
  messageId: string;
  type: WebhookEvent;
  createdAt: string;
  /** The run at that time, as written by a process of that time: fields added later are absent. */
  run: RunRow;
}

/** Which events: those after this id (null: all that are there), of these types, of one run. */
export interface EventFilter {
  after: number | null;
  types?: readonly WebhookEvent[];
  runId?: number;
}

/** What happened to the organization's runs. */
export function eventStore({ reader }: Pick<Dialect, "reader">) {
  return {
    /**
     * The first events that match, in the order in which they happened. `last` is the event from which a reader goes on: all up to
     * it have been looked at. `missed`: events after `after` may have been deleted.
     */
    async list({ organizationId }: Access, { after, types, runId }: EventFilter, limit: number) {
      const ofOrganization = reader.selectFrom("webhook_events").where("organization_id", "=", organizationId);
      // Before the events are read: one that comes meanwhile is not passed over.
      const newest = await ofOrganization.select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
      const deleted = await reader
        .selectFrom("deleted_events")
        .select("last_id")
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      const lastDeleted = deleted?.last_id ?? 0;
      const end = Math.max(newest?.id ?? 0, lastDeleted);
      const rows = await ofOrganization
        .selectAll()
        .where("id", ">", after ?? 0)
        .where("id", "<=", end)
        .$if(types !== undefined, (query) => query.where("type", "in", types ?? []))
        .$if(runId !== undefined, (query) => query.where("run_id", "=", runId ?? 0))
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      const items = rows.slice(0, limit).map((row): EventRow => {
        const { id, message_id, type, created_at, run } = row;
        return {
          id,
          messageId: message_id,
          type,
          createdAt: instantOf(created_at),
          run: parseExactJson(run) as RunRow,
        };
      });
      const hasMore = rows.length > limit;
      const last = (hasMore ? items.at(-1)?.id : end) ?? 0;
      // A later cursor is one of another store, such as that from before a backup was restored.
      const missed = after !== null && (lastDeleted > after || after > end);
      return { items, hasMore, last, missed };
    },
  };
}

export type EventStore = ReturnType<typeof eventStore>;

/** To be called before events are deleted: notes the newest of those that match, by organization. */
export async function noteDeletedEvents(
  trx: Transaction<Schema>,
  matches: (eb: ExpressionBuilder<Schema, "webhook_events">) => Expression<SqlBool>,
): Promise<void> {
  const newest = await trx
    .selectFrom("webhook_events")
    .where(matches)
    .groupBy("organization_id")
    .select(({ fn }) => ["organization_id", fn.max<number>("id").as("last_id")])
    .execute();
  for (const row of newest) {
    await trx
      .insertInto("deleted_events")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column("organization_id")
          .doUpdateSet({ last_id: row.last_id })
          .where("deleted_events.last_id", "<", row.last_id),
      )
      .execute();
  }
}

/** A run starts when it leaves the queue; continuing after an answer is not an event. */
function eventOf(from: RunStatus, to: RunStatus): WebhookEvent | null {
  if (isEnd(to)) return "run.finished";
  if (to === "waiting") return "run.waiting";
  return from === "queued" && to === "running" ? "run.started" : null;
}
