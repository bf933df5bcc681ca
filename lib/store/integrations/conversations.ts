import type { Selectable, Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import type { Now } from "#lib/store/instant.ts";
import { allowsPulls } from "#lib/store/pulls/pull-stage.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import { insertRun } from "#lib/store/runs/insert-run.ts";
import { requireQueueRoom } from "#lib/store/runs/queue-room.ts";
import type { NewRun } from "#lib/store/runs/run-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { taskQueue } from "#lib/store/task-queue.ts";
import { addWaitingTurn } from "#lib/store/turns/turns.ts";
import { insertReply, replyStore } from "./replies.ts";

/** A stored event: something said in a conversation of a connected service, waiting to be processed. */
export type StoredEvent = {
  id: number;
  organizationId: number;
  integrationId: number;
  /** JSON as the service's reader wrote it. */
  body: string;
  /** Number of attempts, including this one. */
  tries: number;
  createdAt: string;
};

/** Outcome of an event. */
export type EventOutcome = { state: "done" | "ignored" | "failed"; note: string };

const dueEvent = statement<{ now: number }, Selectable<Schema["host_events"]>>(
  "select * from host_events where state = 'waiting' and due_at <= :now order by due_at, id limit 1",
);

/** Conversations in connected services, and replies to them. */
export function conversationStore(dialect: Dialect, appender: EntryAppender, now: Now, queueMax: number) {
  const { writer, reader } = dialect;
  const events = taskQueue(dialect, "host_events", dueEvent, now);
  return {
    ...replyStore(dialect, appender, now),

    /**
     * Stores an event for the engine. `duplicate` if one with that delivery id, or about the same message (`saidKey`), was stored
     * before; `absent` if the integration was removed in the meantime. `body` null records an event that is ignored.
     */
    keep(
      integrationId: number,
      {
        deliveryId,
        kind,
        saidKey,
        body,
        note,
      }: { deliveryId: string; kind: string; saidKey: string | null; body: string | null; note: string },
    ): Promise<"kept" | "duplicate" | "absent"> {
      return writer.transaction().execute(async (trx) => {
        const integration = await trx
          .selectFrom("integrations")
          .select("organization_id")
          .where("id", "=", integrationId)
          .executeTakeFirst();
        if (integration === undefined) return "absent";
        const known = await trx
          .selectFrom("host_events")
          .select("id")
          .where("integration_id", "=", integrationId)
          .where((eb) =>
            eb.or([eb("delivery_id", "=", deliveryId), ...(saidKey === null ? [] : [eb("message_key", "=", saidKey)])]),
          )
          .executeTakeFirst();
        if (known !== undefined) return "duplicate";
        await trx
          .insertInto("host_events")
          .values({
            organization_id: integration.organization_id,
            integration_id: integrationId,
            delivery_id: deliveryId,
            kind,
            message_key: saidKey,
            state: body === null ? "ignored" : "waiting",
            note,
            body: body ?? "",
            tries: 0,
            due_at: now(),
            created_at: now(),
          })
          .execute();
        return "kept";
      });
    },

    /** The event that has been due longest; it is due again after `leaseMs`, or with the next engine, unless it is settled. */
    async claimEvent(leaseMs: number): Promise<StoredEvent | null> {
      const claimed = await events.claim(leaseMs);
      return claimed === null ? null : { ...claimed.task, body: claimed.row.body };
    },

    /** Stores the event's outcome: it is not claimed again. */
    async settleEvent(id: number, outcome: EventOutcome): Promise<void> {
      await settle(writer, id, outcome);
    },

    /** Makes the event due again after that time. */
    postponeEvent: events.postpone,

    /** The run of a conversation, or null. */
    async findRun(integrationId: number, conversation: string): Promise<number | null> {
      const row = await reader
        .selectFrom("conversations")
        .select("run_id")
        .where("integration_id", "=", integrationId)
        .where("key", "=", conversation)
        .executeTakeFirst();
      return row?.run_id ?? null;
    },

    /**
     * Does what an event asks, at most once: adds a turn to the conversation's run, or creates its run; writes the entry for the
     * message; settles the event; and records that a reply with the turn's answer is due. Null if the event was settled before,
     * or with `unlessBanned` if the run is banned: then it is settled as ignored.
     * Throws 429 (queue_full) if the organization's queue is full.
     */
    begin(
      event: Pick<StoredEvent, "id" | "integrationId" | "organizationId">,
      {
        conversation,
        place,
        userId,
        unlessBanned,
        run,
        entry,
        origin,
      }: {
        conversation: string;
        place: string;
        userId: number | null;
        unlessBanned?: boolean;
        run: NewRun;
        entry: NewEntry | null;
        /** For the log of a run that is created: what it was started from. */
        origin?: NewEntry;
      },
    ): Promise<{ runId: number; turn: number; created: boolean } | null> {
      return writer.transaction().execute(async (trx) => {
        if (!(await isOpen(trx, event.id))) return null;
        const nowMs = now();
        const { organizationId, integrationId } = event;
        const known = await trx
          .selectFrom("conversations")
          .innerJoin("runs", "runs.id", "conversations.run_id")
          .select(["runs.id", "runs.status", "runs.banned_at"])
          .where("conversations.integration_id", "=", integrationId)
          .where("conversations.key", "=", conversation)
          .executeTakeFirst();
        if (known !== undefined && known.banned_at !== null && unlessBanned === true) {
          await settle(trx, event.id, { state: "ignored", note: `run ${known.id} is banned` });
          return null;
        }
        let runId: number;
        if (known === undefined) {
          runId = await insertRun(trx, { organizationId, userId }, run, nowMs, queueMax);
          await trx
            .insertInto("conversations")
            .values({
              organization_id: organizationId,
              integration_id: integrationId,
              key: conversation,
              run_id: runId,
              created_at: nowMs,
            })
            .execute();
        } else {
          runId = known.id;
          if (isEnd(known.status)) await requireQueueRoom(trx, organizationId, queueMax);
          // The model is the one chosen for new runs; this run has its own agent and model.
          await addWaitingTurn(trx, runId, { ...run, model: null }, userId, nowMs);
          await pushesAnswer(trx, runId);
          if (isEnd(known.status)) await changeStatus(trx, runId, "queued", nowMs);
        }
        const first = known === undefined && origin !== undefined ? [origin] : [];
        const entries = entry === null ? first : [entry, ...first];
        if (entries.length > 0) await appender.append(trx, runId, writeEntries(entries));
        const { number: turn } = await trx
          .selectFrom("turns")
          .select("number")
          .where("run_id", "=", runId)
          .orderBy("number", "desc")
          .limit(1)
          .executeTakeFirstOrThrow();
        await insertReply(trx, event, { place, text: null, runId, turn }, nowMs);
        await settle(trx, event.id, { state: "done", note: `run ${runId}, turn ${turn}` });
        return { runId, turn, created: known === undefined };
      });
    },

    /** Stores a reply with its own text, not a turn's answer, and settles the event, at most once. */
    async say(
      event: Pick<StoredEvent, "id" | "integrationId" | "organizationId">,
      place: string,
      text: string,
    ): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        if (!(await isOpen(trx, event.id))) return;
        await insertReply(trx, event, { place, text, runId: null, turn: null }, now());
        await settle(trx, event.id, { state: "done", note: "answered" });
      });
    },

    /** Deletes settled events and replies older than that. */
    async forget(olderThanMs: number): Promise<void> {
      const before = now() - olderThanMs;
      await writer.deleteFrom("host_events").where("state", "!=", "waiting").where("created_at", "<", before).execute();
      await writer.deleteFrom("replies").where("state", "!=", "waiting").where("created_at", "<", before).execute();
    },
  };
}

/** Makes the run push the work of its new turn to its open pull request. */
async function pushesAnswer(trx: Transaction<Schema>, runId: number): Promise<void> {
  if (!(await allowsPulls(trx, runId))) return;
  await trx
    .updateTable("pull_requests")
    .set({ stage: "fixing", fix_turn: null, rounds: 0, attempts: "{}", failing: "{}" })
    .where("run_id", "=", runId)
    .where("state", "=", "open")
    .where("stage", "is", null)
    .execute();
}

async function isOpen(trx: Transaction<Schema>, eventId: number): Promise<boolean> {
  const row = await trx.selectFrom("host_events").select("state").where("id", "=", eventId).executeTakeFirst();
  return row?.state === "waiting";
}

async function settle(
  database: Transaction<Schema> | Dialect["writer"],
  id: number,
  { state, note }: EventOutcome,
): Promise<void> {
  // The message is no longer needed; its outcome is.
  await database
    .updateTable("host_events")
    .set({ state, note: note.slice(0, 500), body: "" })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
}
