import { sql, type Transaction } from "kysely";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import type { Schema } from "#lib/store/schema.ts";
import { reopenLastTurn } from "#lib/store/turns/turns.ts";
import { endSilentSession } from "./claude-session-end.ts";
import { type LoggedSession, loggedSession } from "./logged-session.ts";

const endedAtOnce = 100;

/** Ends the runs of live sessions that have been silent for too long. Returns the ids of the runs. */
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
      // The session may have sent something since, or another engine was faster.
      if (session === null || session.status !== "ACTIVE" || session.silentAt !== null) return;
      if (!isSilent(session.heardAt) || isEnd(session.runStatus)) return;
      await endSilentSession(trx, appender, session, silenceMs, nowMs);
      ended.push(session.runId);
    });
  }
  return ended;
}

/** Resumes a session that was ended for its silence: its run and turn continue as if they had not ended. */
export async function reviveSession(trx: Transaction<Schema>, session: LoggedSession, nowMs: number): Promise<void> {
  if (session.silentAt === null) return;
  session.silentAt = null;
  // Somebody may have resumed or cancelled it since.
  if (session.runStatus === "timed_out") await reopenTurn(trx, session, nowMs);
}

/** Continues the run of an ended session and its last turn as if they had not ended. */
export async function reopenTurn(trx: Transaction<Schema>, session: LoggedSession, nowMs: number): Promise<void> {
  await reopenLastTurn(trx, session.runId);
  await changeStatus(trx, session.runId, "queued", nowMs);
  await changeStatus(trx, session.runId, "running", nowMs);
  session.runStatus = "running";
}
