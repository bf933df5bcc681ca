import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import { AttachedName } from "#lib/contract/runs/attachment.ts";
import { isEnd, type RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import { resumeStage } from "#lib/store/pulls/pull-stage.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import { requireQueueRoom } from "#lib/store/runs/queue-room.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";
import { readRun } from "#lib/store/runs/run-rows.ts";
import type { NewTurn, TurnRefusal } from "#lib/store/runs/run-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import { fileColumns } from "./turn-rows.ts";
import { queuedStates, releaseHeldTurns } from "./turns.ts";

/** A turn that waits for the one before to end, or is held until somebody sends it. */
export type QueuedTurnRow = ReturnType<typeof queuedTurn>;

const Names = z.array(AttachedName);

/** Actions of people on turns that have not started. */
export function queuedTurnStore({ writer, reader }: Dialect, now: Now, queueMax: number) {
  return {
    /** Turns that have not started, in the order they start in; null if the run is not visible. */
    async listQueued(access: Access, runId: number, { skip, limit }: Window): Promise<Listed<QueuedTurnRow> | null> {
      if ((await findRun(reader, access, runId)) === null) return null;
      const rows = await selectQueued(reader, runId).orderBy("turns.number").limit(limit).offset(skip).execute();
      const { total } = await reader
        .selectFrom("turns")
        .where("run_id", "=", runId)
        .where("state", "in", queuedStates)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(queuedTurn), total };
    },

    /** Changes the given fields; a `model` of null is the run's. `revision`: only if it was not edited since. */
    edit(
      access: Access,
      runId: number,
      number: number,
      { prompt, images, attachments, model }: Partial<NewTurn>,
      revision: number | null,
    ): Promise<{ turn: QueuedTurnRow } | { refused: TurnRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const found = await findQueued(trx, access, runId, number);
        if (typeof found === "string") return { refused: found };
        requireAct(access, "edit_message", found.turn.userId);
        if (revision !== null && revision !== found.turn.revision) return { refused: "edited" };
        await trx
          .updateTable("turns")
          .set({
            ...(prompt === undefined ? {} : { prompt }),
            ...fileColumns({ images, attachments }),
            ...(model === undefined ? {} : { model }),
            revision: found.turn.revision + 1,
          })
          .where("run_id", "=", runId)
          .where("number", "=", number)
          .execute();
        const edited = await selectQueued(trx, runId).where("turns.number", "=", number).executeTakeFirstOrThrow();
        return { turn: queuedTurn(edited) };
      });
    },

    /**
     * Withdraws the turn. Its number is not reused, and its text is deleted, except the first turn's prompt, which is the run's
     * title.
     */
    withdraw(access: Access, runId: number, number: number): Promise<{ run: RunRow } | { refused: TurnRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const found = await findQueued(trx, access, runId, number);
        if (typeof found === "string") return { refused: found };
        requireAct(access, "edit_message", found.turn.userId);
        const isWanted = found.runStatus === "queued" && found.turn.state === "waiting";
        if (isWanted && (await countWaiting(trx, runId)) === 1) return { refused: "needed" };
        await trx
          .updateTable("turns")
          .set({
            state: "withdrawn",
            finished_at: now(),
            ...fileColumns({ images: [], attachments: [] }),
            ...(number === 1 ? {} : { prompt: "" }),
          })
          .where("run_id", "=", runId)
          .where("number", "=", number)
          .execute();
        await trx.updateTable("runs").set({ turns: sql<number>`turns - 1` }).where("id", "=", runId).execute();
        if (found.runStatus === "evaluating" && (await countWaiting(trx, runId)) === 0) {
          await resumeStage(trx, runId, now());
        }
        return { run: await readRun(trx, runId) };
      });
    },

    /** Releases the held turns: an ended run becomes `queued`, a live one keeps its status. */
    sendHeld(access: Access, runId: number): Promise<{ run: RunRow } | { refused: "run_absent" | "none_held" }> {
      return writer.transaction().execute(async (trx) => {
        const run = await findRun(trx, access, runId);
        if (run === null) return { refused: "run_absent" };
        const { status } = run;
        requireAct(access, "continue", run.user_id);
        if ((await releaseHeldTurns(trx, runId)) === 0) return { refused: "none_held" };
        if (isEnd(status)) await requireQueueRoom(trx, access.organizationId, queueMax);
        if (isEnd(status)) await changeStatus(trx, runId, "queued", now());
        return { run: await readRun(trx, runId) };
      });
    },
  };
}

async function findRun(
  database: Kysely<Schema>,
  { organizationId }: Access,
  runId: number,
): Promise<{ status: RunStatus; user_id: number | null } | null> {
  const run = await database
    .selectFrom("runs")
    .select(["status", "user_id"])
    .where("id", "=", runId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return run === undefined ? null : { status: run.status, user_id: run.user_id };
}

async function findQueued(
  trx: Transaction<Schema>,
  access: Access,
  runId: number,
  number: number,
): Promise<{ turn: QueuedTurnRow; runStatus: RunStatus } | TurnRefusal> {
  const run = await findRun(trx, access, runId);
  if (run === null) return "run_absent";
  const row = await selectQueued(trx, runId).where("turns.number", "=", number).executeTakeFirst();
  // The agent may already have a message that is on its way.
  if (row !== undefined && row.steering === 2) return "begun";
  if (row !== undefined) return { turn: queuedTurn(row), runStatus: run.status };
  const other = await trx
    .selectFrom("turns")
    .select("state")
    .where("run_id", "=", runId)
    .where("number", "=", number)
    .executeTakeFirst();
  return other === undefined || other.state === "withdrawn" ? "absent" : "begun";
}

async function countWaiting(trx: Transaction<Schema>, runId: number): Promise<number> {
  const { waiting } = await trx
    .selectFrom("turns")
    .where("run_id", "=", runId)
    .where("state", "=", "waiting")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .executeTakeFirstOrThrow();
  return waiting;
}

function selectQueued(database: Kysely<Schema>, runId: number) {
  return database
    .selectFrom("turns")
    .leftJoin("users", "users.id", "turns.user_id")
    .where("turns.run_id", "=", runId)
    .where("turns.state", "in", queuedStates)
    .select([
      "turns.number",
      "turns.state",
      "turns.prompt",
      "turns.image_count",
      "turns.attachment_names",
      "turns.model",
      "turns.revision",
      "turns.steering",
      "turns.created_at",
      "turns.user_id",
      "users.full_name as user_full_name",
      "users.email as user_email",
    ]);
}

const steeringWords = { 0: "no", 1: "next_step", 2: "on_its_way" } as const;

function queuedTurn(row: Awaited<ReturnType<ReturnType<typeof selectQueued>["execute"]>>[number]) {
  return {
    number: row.number,
    state: row.state === "held" ? ("held" as const) : ("waiting" as const),
    prompt: row.prompt,
    imageCount: row.image_count,
    attachments: Names.parse(JSON.parse(row.attachment_names)),
    model: row.model,
    /** The agent gets it at its next step, or has it at this moment. */
    steering: steeringWords[row.steering],
    /** Counts the edits. */
    revision: row.revision,
    createdAt: instantOf(row.created_at),
    userId: row.user_id,
    userName: row.user_full_name ?? row.user_email,
  };
}
