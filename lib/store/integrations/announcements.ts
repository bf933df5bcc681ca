import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { Question } from "#lib/contract/runs/question.ts";
import type { EndStatus, RunStatus } from "#lib/contract/runs/run-status.ts";
import { endStatuses } from "#lib/contract/runs/run-status.ts";
import { questionText } from "#lib/entry/asked-request.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";

/** A run to announce in a channel: it ended, or it waits for an answer. */
export type Announcement = {
  integrationId: number;
  runId: number;
  /** Identifies the moment, so that it is announced once. */
  moment: string;
  /** The run's prompt. */
  prompt: string;
  end: { status: EndStatus; result: string | null } | null;
  /** Everything that its question asks for, as text; null if it has ended. */
  question: string | null;
};

/** A conversation waiting for the answer of a held turn: nothing works on it until somebody sends it. */
export type HeldReply = {
  integrationId: number;
  runId: number;
  moment: string;
  /** JSON: where in the service the request was made. */
  place: string;
  runStatus: RunStatus;
};

const findMax = 20;

/** Announcements in channels. */
export function announcementStore({ writer, reader }: Dialect, now: Now) {
  return {
    /**
     * Unannounced moments since then in the integration's organization. Leaves out runs that its own conversations started: these
     * are answered where they were requested. At most 20 ended runs.
     */
    async find(
      { id, organizationId }: { id: number; organizationId: number },
      { finished, waiting }: { finished: boolean; waiting: boolean },
      sinceMs: number,
    ): Promise<Announcement[]> {
      const untold = reader
        .selectFrom("runs")
        .innerJoin("turns", (join) => join.onRef("turns.run_id", "=", "runs.id").on("turns.number", "=", 1))
        .select(["runs.id", "runs.status", "runs.result", "runs.question", "runs.finished_at", "turns.prompt"])
        .where("runs.organization_id", "=", organizationId)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("conversations")
                .select("conversations.key")
                .where("conversations.integration_id", "=", id)
                .whereRef("conversations.run_id", "=", "runs.id"),
            ),
          ),
        )
        .orderBy("runs.id");
      const ended = finished
        ? await untold
            .where("runs.finished_at", ">", sinceMs)
            .where("runs.status", "in", endStatuses)
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
                    .selectFrom("announcements")
                    .select("announcements.moment")
                    .where("announcements.integration_id", "=", id)
                    .whereRef("announcements.run_id", "=", "runs.id")
                    .where("announcements.moment", "=", sql<string>`'end:' || runs.finished_at`),
                ),
              ),
            )
            .limit(findMax)
            .execute()
        : [];
      const asking = waiting
        ? await untold
            .where("runs.status", "=", sql.lit("waiting" as const))
            .where("runs.question", "is not", null)
            .execute()
        : [];
      const announced = await reader
        .selectFrom("announcements")
        .select(["run_id", "moment"])
        .where("integration_id", "=", id)
        .where("run_id", "in", [0, ...asking.map((run) => run.id)])
        .execute();
      return [
        ...ended.map((run) => ({
          integrationId: id,
          runId: run.id,
          moment: `end:${run.finished_at}`,
          prompt: run.prompt,
          // Asked only for ended runs.
          end: { status: run.status as EndStatus, result: run.result },
          question: null,
        })),
        ...asking.flatMap((run) => {
          const question = Question.parse(parseExactJson(run.question ?? "{}"));
          const moment = `ask:${question.id}`;
          if (announced.some((one) => one.run_id === run.id && one.moment === moment)) return [];
          const { prompt } = run;
          return [{ integrationId: id, runId: run.id, moment, prompt, end: null, question: questionText(question) }];
        }),
      ];
    },

    /** Conversations not yet told that their turn is held. At most 20. */
    async findHeld(): Promise<HeldReply[]> {
      const rows = await reader
        .selectFrom("replies")
        .innerJoin("turns", (join) =>
          join.onRef("turns.run_id", "=", "replies.run_id").onRef("turns.number", "=", "replies.turn"),
        )
        .innerJoin("runs", "runs.id", "turns.run_id")
        .select(["replies.integration_id", "replies.place", "turns.run_id", "turns.number", "runs.status"])
        // A literal, so that the index of waiting replies is used.
        .where("replies.state", "=", sql.lit("waiting"))
        .where("replies.text", "is", null)
        .where("turns.state", "=", "held")
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("announcements")
                .select("announcements.moment")
                .whereRef("announcements.integration_id", "=", "replies.integration_id")
                .whereRef("announcements.run_id", "=", "turns.run_id")
                .where("announcements.moment", "=", sql<string>`'held:' || turns.number`),
            ),
          ),
        )
        .orderBy("replies.id")
        .limit(findMax)
        .execute();
      return rows.map((row) => ({
        integrationId: row.integration_id,
        runId: row.run_id,
        moment: `held:${row.number}`,
        place: row.place,
        runStatus: row.status,
      }));
    },

    /** Stores the message to send, once per moment. */
    async note(
      { integrationId, runId, moment }: Pick<Announcement, "integrationId" | "runId" | "moment">,
      place: string,
      text: string,
    ): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        const made = await trx
          .insertInto("announcements")
          .columns(["organization_id", "integration_id", "run_id", "moment", "created_at"])
          .expression((eb) =>
            eb
              .selectFrom("integrations")
              .select([
                "organization_id",
                "id",
                eb.val(runId).as("run_id"),
                eb.val(moment).as("moment"),
                eb.val(now()).as("created_at"),
              ])
              .where("id", "=", integrationId),
          )
          .onConflict((conflict) => conflict.columns(["integration_id", "run_id", "moment"]).doNothing())
          .returning("organization_id")
          .executeTakeFirst();
        if (made === undefined) return;
        await trx
          .insertInto("replies")
          .values({
            organization_id: made.organization_id,
            integration_id: integrationId,
            key: randomUUID(),
            place,
            text,
            run_id: runId,
            turn: null,
            state: "waiting",
            note: null,
            remote_id: null,
            tries: 0,
            due_at: now(),
            created_at: now(),
          })
          .execute();
      });
    },
  };
}
