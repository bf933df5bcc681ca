import { randomUUID } from "node:crypto";
import type { Selectable, Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import { isAside } from "#lib/entry/notice.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import { entryId, seqMax } from "#lib/store/entries/entry-id.ts";
import type { Now } from "#lib/store/instant.ts";
import { appendToRun } from "#lib/store/pulls/pull-steps.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { taskQueue } from "#lib/store/task-queue.ts";

/** A reply that a conversation waits for. */
export type ReplyRow = {
  id: number;
  organizationId: number;
  integrationId: number;
  /** A UUID that identifies the reply in the service, so that a reply that did arrive can be found. */
  key: string;
  /** JSON: where in the service to send it. */
  place: string;
  /** Text of the reply; null for the turn's answer. */
  text: string | null;
  runId: number | null;
  turn: number | null;
  tries: number;
  createdAt: string;
};

/** The end of a turn whose answer somebody waits for; a withdrawn turn never started. */
export type EndedTurn = { status: EndStatus | "withdrawn"; result: string | null; errorEntry: string | null };

/** Errors of a turn that are read for its own: others may stand after it. */
const errorsMax = 20;

const dueReply = statement<{ now: number }, Selectable<Schema["replies"]>>(`
  select replies.* from replies left join turns on turns.run_id = replies.run_id and turns.number = replies.turn
  where replies.state = 'waiting' and replies.due_at <= :now
  and (replies.text is not null or turns.state in ('done', 'withdrawn'))
  order by replies.due_at, replies.id limit 1`);

/** Replies to conversations in connected services. */
export function replyStore(dialect: Dialect, appender: EntryAppender, now: Now) {
  const { writer, reader } = dialect;
  const replies = taskQueue(dialect, "replies", dueReply, now);
  return {
    /**
     * The reply that has been due longest: its turn has ended or was withdrawn. It is due again after `leaseMs` unless it is settled.
     * So those for a service that never answers cannot keep the others waiting.
     */
    async claimReply(leaseMs: number): Promise<ReplyRow | null> {
      const claimed = await replies.claim(leaseMs);
      if (claimed === null) return null;
      const { key, place, text, run_id: runId, turn } = claimed.row;
      return { ...claimed.task, key, place, text, runId, turn };
    },

    /** How the turn of a reply ended; null if it has not. */
    async findEnd(runId: number, turn: number): Promise<EndedTurn | null> {
      const row = await reader
        .selectFrom("turns")
        .select(["state", "end_status", "result", "started_at", "created_at", "finished_at"])
        .where("run_id", "=", runId)
        .where("number", "=", turn)
        .executeTakeFirst();
      if (row?.state === "withdrawn") return { status: "withdrawn", result: null, errorEntry: null };
      if (row?.state !== "done") return null;
      const errors = await reader
        .selectFrom("entries")
        .select("body")
        .where("id", ">", entryId(runId, 0))
        .where("id", "<=", entryId(runId, seqMax))
        .where("message_type", "=", "ERROR")
        .where("created_at", ">=", row.started_at ?? row.created_at)
        // The closing entries are no later than the turn's end; a later error is that of a later turn.
        .where("created_at", "<=", row.finished_at ?? Number.MAX_SAFE_INTEGER)
        .orderBy("id", "desc")
        .limit(errorsMax)
        .execute();
      const own = errors.find(({ body }) => !isAside(JSON.parse(body).observation));
      return { status: row.end_status ?? "completed", result: row.result, errorEntry: own?.body ?? null };
    },

    /** `remoteId` null: it was given up, and `note` says why; `entry` is added to the log of the run that it is about. */
    async settleReply(
      id: number,
      { remoteId, note, entry }: { remoteId: string | null; note: string | null; entry?: NewEntry },
    ): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        const settled = await trx
          .updateTable("replies")
          .set({ state: remoteId === null ? "given_up" : "sent", remote_id: remoteId, note })
          .where("id", "=", id)
          .where("state", "=", "waiting")
          .returning(["organization_id", "run_id"])
          .executeTakeFirst();
        if (entry === undefined || settled == null || settled.run_id === null) return;
        const { organization_id: organizationId, run_id: runId } = settled;
        await appendToRun(trx, appender, { organizationId }, { runId, entry }, now());
      });
    },

    postponeReply: replies.postpone,
  };
}

/** Records that a reply is due: with its text, or with the answer that a turn will give. */
export async function insertReply(
  trx: Transaction<Schema>,
  { organizationId, integrationId }: { organizationId: number; integrationId: number },
  reply: { place: string; text: string | null; runId: number | null; turn: number | null },
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto("replies")
    .values({
      organization_id: organizationId,
      integration_id: integrationId,
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
