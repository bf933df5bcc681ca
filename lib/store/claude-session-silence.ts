import { sql, type Transaction } from "kysely";
import { isEnd } from "#lib/contract/run-status.ts";
import type { EntryAppender } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import { endSilentSession } from "./claude-session-end.ts";
import { type LoggedSession, loggedSession } from "./claude-session-log.ts";
import type { Dialect } from "./dialect.ts";
import type { Schema } from "./schema.ts";
import { reopenLastTurn } from "./turns.ts";

const endedAtOnce = 100;

/** Ends the runs of sessions that are at work and of which nothing was heard for so long. Gives the ids of the runs. */
export async function endSilentSessions(
  { writer, reader }: Dialect,
  appender: EntryAppender,
  silenceMs: number,
  nowMs: number,
): Promise<number[]> {
  const isSilent = (heardAt: number) => heardAt <= nowMs - silenceMs;
  const silent = await reader
    .selectFrom("claude_sessions")
    .innerJoin("runs", "runs.id", "claude_sessions.run_id")
    .select("claude_sessions.id")
    .where("claude_sessions.status", "=", sql.lit("ACTIVE" as const))
    .where("claude_sessions.silent_at", "is", null)
    .where("claude_sessions.heard_at", "<=", nowMs - silenceMs)
    .where("runs.status", "in", ["running", "waiting"])
    .orderBy("claude_sessions.heard_at")
    .limit(endedAtOnce)
    .execute();
  const ended: number[] = [];
  for (const { id } of silent) {
    await writer.transaction().execute(async (trx) => {
      const session = await loggedSession(trx, (query) => query.where("claude_sessions.id", "=", id));
      // It may have been heard of since, or another engine was quicker.
      if (session === null || session.status !== "ACTIVE" || session.silentAt !== null) return;
      if (!isSilent(session.heardAt) || isEnd(session.runStatus)) return;
      await endSilentSession(trx, appender, session, silenceMs, nowMs);
      ended.push(session.runId);
    });
  }
  return ended;
}

/** A session that was ended for its silence is heard again: its run and the turn go on as if they had not ended. */
export async function reviveSession(trx: Transaction<Schema>, session: LoggedSession, nowMs: number): Promise<void> {
  if (session.silentAt === null) return;
  session.silentAt = null;
  // Somebody may have resumed or cancelled it since.
  if (session.runStatus !== "timed_out") return;
  await reopenLastTurn(trx, session.runId);
  await changeStatus(trx, session.runId, "queued", nowMs);
  await changeStatus(trx, session.runId, "running", nowMs);
  session.runStatus = "running";
}
