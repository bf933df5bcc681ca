import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/entry.ts";
import { type EndStatus, isEnd } from "#lib/contract/run-status.ts";
import { type EntryAppender, writeEntries } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import type { Dialect } from "./dialect.ts";
import { entryId, seqMax } from "./entry-id.ts";
import { insertRun } from "./insert-run.ts";
import { instantOf, type Now } from "./instant.ts";
import { requireQueueRoom } from "./queue-room.ts";
import type { Schema } from "./schema.ts";
import { statement } from "./statement.ts";
import type { NewRun } from "./store.ts";
import { addWaitingTurn } from "./turns.ts";

/** An event that was kept: something said in a conversation of a connected service, waiting to be worked on. */
export type HeardRow = {
  id: number;
  organizationId: number;
  integrationId: number;
  /** JSON as the reader of the service wrote it. */
  body: string;
  /** How often it was tried, this time included. */
  tries: number;
  createdAt: string;
};

/** An answer that a conversation waits for. */
export type ReplyRow = {
  id: number;
  organizationId: number;
  integrationId: number;
  /** A UUID that names the reply in the service, so that one that arrived is found again. */
  key: string;
  /** JSON: where in the service it goes. */
  place: string;
  /** What is said; null where it is what the turn answered. */
  text: string | null;
  runId: number | null;
  turn: number | null;
  tries: number;
  createdAt: string;
};

/** How a turn ended that somebody waits for; one that was withdrawn never began. */
export type EndedTurn = { status: EndStatus | "withdrawn"; result: string | null; errorEntry: string | null };

/** What came of an event. */
export type HeardOutcome = { state: "done" | "ignored" | "failed"; note: string };

export type ConversationStore = {
  /**
   * Keeps an event for the engine. `duplicate` where one of that delivery, or of the same thing said (`saidKey`), came before;
   * `absent` where the integration was removed meanwhile. `body` null notes an event with which nothing is done.
   */
  keep(
    integrationId: number,
    event: { deliveryId: string; kind: string; saidKey: string | null; body: string | null; note: string },
  ): Promise<"kept" | "duplicate" | "absent">;
  /** The oldest event that is due; it is due again after `leaseMs` unless it was settled. */
  claimHeard(leaseMs: number): Promise<HeardRow | null>;
  /** The event is worked on no more. */
  settleHeard(id: number, outcome: HeardOutcome): Promise<void>;
  /** The event is due again after that time. */
  postponeHeard(id: number, waitMs: number): Promise<void>;
  /** The run of a conversation, or null. */
  findRun(integrationId: number, conversation: string): Promise<number | null>;
  /**
   * Does what an event asks, at most once: adds a turn to the conversation's run, or makes a run that is then its run; writes the
   * entry of what was said; settles the event; and notes that its place waits for the turn's answer. Null where the event was
   * settled before. Throws 429 (queue_full) where the organization's queue is full.
   */
  begin(
    heard: Pick<HeardRow, "id" | "integrationId" | "organizationId">,
    asked: { conversation: string; place: string; userId: number | null; run: NewRun; entry: NewEntry | null },
  ): Promise<{ runId: number; turn: number; created: boolean } | null>;
  /** Notes something to be said that no turn answers, and settles the event, at most once. */
  say(heard: Pick<HeardRow, "id" | "integrationId" | "organizationId">, place: string, text: string): Promise<void>;
  /** The oldest reply that is due: its turn has ended or was withdrawn. It is due again after `leaseMs` unless it was settled. */
  claimReply(leaseMs: number): Promise<ReplyRow | null>;
  /** How the turn of a reply ended; null where it has not. */
  findEnd(runId: number, turn: number): Promise<EndedTurn | null>;
  /** `remoteId` null: it was given up, and `note` says why. */
  settleReply(id: number, outcome: { remoteId: string | null; note: string | null }): Promise<void>;
  postponeReply(id: number, waitMs: number): Promise<void>;
  /** Forgets events and replies that were settled and are older than that. */
  forget(olderThanMs: number): Promise<void>;
};

const anyHeard = statement<{ now: number }, { id: number }>(
  "select id from heard where state = 'waiting' and due_at <= :now limit 1",
);

/** What is said in conversations of connected services, and what is answered there. */
export function conversationStore(
  { writer, reader, readAll }: Dialect,
  appender: EntryAppender,
  now: Now,
  queueMax: number,
): ConversationStore {
  const dueReplies = (database: typeof reader | Transaction<Schema>) =>
    database
      .selectFrom("replies")
      .leftJoin("turns", (join) =>
        join.onRef("turns.run_id", "=", "replies.run_id").onRef("turns.number", "=", "replies.turn"),
      )
      .where("replies.state", "=", sql.lit("waiting"))
      .where("replies.due_at", "<=", now())
      .where((eb) => eb.or([eb("replies.text", "is not", null), eb("turns.state", "in", ["done", "withdrawn"])]))
      .orderBy("replies.id")
      .limit(1);

  return {
    keep(integrationId, { deliveryId, kind, saidKey, body, note }) {
      return writer.transaction().execute(async (trx) => {
        const integration = await trx
          .selectFrom("integrations")
          .select("organization_id")
          .where("id", "=", integrationId)
          .executeTakeFirst();
        if (integration === undefined) return "absent";
        const known = await trx
          .selectFrom("heard")
          .select("id")
          .where("integration_id", "=", integrationId)
          .where((eb) =>
            eb.or([eb("delivery_id", "=", deliveryId), ...(saidKey === null ? [] : [eb("said_key", "=", saidKey)])]),
          )
          .executeTakeFirst();
        if (known !== undefined) return "duplicate";
        await trx
          .insertInto("heard")
          .values({
            organization_id: integration.organization_id,
            integration_id: integrationId,
            delivery_id: deliveryId,
            kind,
            said_key: saidKey,
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

    async claimHeard(leaseMs) {
      if ((await readAll(anyHeard, { now: now() })).length === 0) return null;
      return writer.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("heard")
          .selectAll()
          .where("state", "=", "waiting")
          .where("due_at", "<=", now())
          .orderBy("id")
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return null;
        await trx
          .updateTable("heard")
          .set({ due_at: now() + leaseMs, tries: row.tries + 1 })
          .where("id", "=", row.id)
          .execute();
        return {
          id: row.id,
          organizationId: row.organization_id,
          integrationId: row.integration_id,
          body: row.body,
          tries: row.tries + 1,
          createdAt: instantOf(row.created_at),
        };
      });
    },

    async settleHeard(id, outcome) {
      await settle(writer, id, outcome);
    },

    async postponeHeard(id, waitMs) {
      await writer
        .updateTable("heard")
        .set({ due_at: now() + waitMs })
        .where("id", "=", id)
        .execute();
    },

    async findRun(integrationId, conversation) {
      const row = await reader
        .selectFrom("conversations")
        .select("run_id")
        .where("integration_id", "=", integrationId)
        .where("key", "=", conversation)
        .executeTakeFirst();
      return row?.run_id ?? null;
    },

    begin(heard, { conversation, place, userId, run, entry }) {
      return writer.transaction().execute(async (trx) => {
        if (!(await isOpen(trx, heard.id))) return null;
        const nowMs = now();
        const { organizationId, integrationId } = heard;
        const known = await trx
          .selectFrom("conversations")
          .innerJoin("runs", "runs.id", "conversations.run_id")
          .select(["runs.id", "runs.status"])
          .where("conversations.integration_id", "=", integrationId)
          .where("conversations.key", "=", conversation)
          .executeTakeFirst();
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
          await addWaitingTurn(trx, runId, run, userId, nowMs);
          if (isEnd(known.status)) await changeStatus(trx, runId, "queued", nowMs);
        }
        if (entry !== null) await appender.append(trx, runId, writeEntries([entry]));
        const { number: turn } = await trx
          .selectFrom("turns")
          .select("number")
          .where("run_id", "=", runId)
          .orderBy("number", "desc")
          .limit(1)
          .executeTakeFirstOrThrow();
        await insertReply(trx, heard, { place, text: null, runId, turn }, nowMs);
        await settle(trx, heard.id, { state: "done", note: `run ${runId}, turn ${turn}` });
        return { runId, turn, created: known === undefined };
      });
    },

    async say(heard, place, text) {
      await writer.transaction().execute(async (trx) => {
        if (!(await isOpen(trx, heard.id))) return;
        await insertReply(trx, heard, { place, text, runId: null, turn: null }, now());
        await settle(trx, heard.id, { state: "done", note: "answered" });
      });
    },

    async claimReply(leaseMs) {
      if ((await dueReplies(reader).select("replies.id").execute()).length === 0) return null;
      return writer.transaction().execute(async (trx) => {
        const row = await dueReplies(trx).selectAll("replies").executeTakeFirst();
        if (row === undefined) return null;
        await trx
          .updateTable("replies")
          .set({ due_at: now() + leaseMs, tries: row.tries + 1 })
          .where("id", "=", row.id)
          .execute();
        return {
          id: row.id,
          organizationId: row.organization_id,
          integrationId: row.integration_id,
          key: row.key,
          place: row.place,
          text: row.text,
          runId: row.run_id,
          turn: row.turn,
          tries: row.tries + 1,
          createdAt: instantOf(row.created_at),
        };
      });
    },

    async findEnd(runId, turn) {
      const row = await reader
        .selectFrom("turns")
        .select(["state", "end_status", "result", "started_at", "created_at"])
        .where("run_id", "=", runId)
        .where("number", "=", turn)
        .executeTakeFirst();
      if (row?.state === "withdrawn") return { status: "withdrawn", result: null, errorEntry: null };
      if (row?.state !== "done") return null;
      const error = await reader
        .selectFrom("entries")
        .select("body")
        .where("id", ">", entryId(runId, 0))
        .where("id", "<=", entryId(runId, seqMax))
        .where("message_type", "=", "ERROR")
        .where("created_at", ">=", row.started_at ?? row.created_at)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return { status: row.end_status ?? "completed", result: row.result, errorEntry: error?.body ?? null };
    },

    async settleReply(id, { remoteId, note }) {
      await writer
        .updateTable("replies")
        .set({ state: remoteId === null ? "given_up" : "sent", remote_id: remoteId, note })
        .where("id", "=", id)
        .where("state", "=", "waiting")
        .execute();
    },

    async postponeReply(id, waitMs) {
      await writer
        .updateTable("replies")
        .set({ due_at: now() + waitMs })
        .where("id", "=", id)
        .where("state", "=", "waiting")
        .execute();
    },

    async forget(olderThanMs) {
      const before = now() - olderThanMs;
      await writer.deleteFrom("heard").where("state", "!=", "waiting").where("created_at", "<", before).execute();
      await writer.deleteFrom("replies").where("state", "!=", "waiting").where("created_at", "<", before).execute();
    },
  };
}

async function isOpen(trx: Transaction<Schema>, heardId: number): Promise<boolean> {
  const row = await trx.selectFrom("heard").select("state").where("id", "=", heardId).executeTakeFirst();
  return row?.state === "waiting";
}

async function settle(
  database: Transaction<Schema> | Dialect["writer"],
  id: number,
  { state, note }: HeardOutcome,
): Promise<void> {
  // What was said is not needed any more; what came of it is.
  await database
    .updateTable("heard")
    .set({ state, note: note.slice(0, 500), body: "" })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
}

async function insertReply(
  trx: Transaction<Schema>,
  heard: Pick<HeardRow, "id" | "integrationId" | "organizationId">,
  reply: { place: string; text: string | null; runId: number | null; turn: number | null },
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto("replies")
    .values({
      organization_id: heard.organizationId,
      integration_id: heard.integrationId,
      key: randomUUID(),
      place: reply.place,
      text: reply.text,
      run_id: reply.runId,
      turn: reply.turn,
      state: "waiting",
      note: null,
      remote_id: null,
      tries: 0,
      due_at: nowMs,
      created_at: nowMs,
    })
    .execute();
}
