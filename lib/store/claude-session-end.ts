import type { Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/entry.ts";
import { type EndStatus, isEnd } from "#lib/contract/run-status.ts";
import { linkAnalyses } from "./analysis-runs.ts";
import type { EntryAppender } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import { ClaudeSessionLog, type LoggedSession } from "./claude-session-log.ts";
import { lastReportedBefore } from "./external-runs.ts";
import { instantOf } from "./instant.ts";
import type { Schema } from "./schema.ts";
import { endActiveTurns } from "./turns.ts";

const ends: Record<"COMPLETE" | "ERROR" | "CANCELLED", EndStatus> = {
  COMPLETE: "completed",
  ERROR: "failed",
  CANCELLED: "cancelled",
};

/**
 * Ends a session as its status says: calls without a result are written as unfinished, what the agent said last becomes the
 * answer, and the run ends. A run that had ended already (somebody cancelled it) keeps its status.
 */
export async function endClaudeSession(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  session: LoggedSession,
  nowMs: number,
): Promise<void> {
  const { status, runId, runStatus } = session;
  if (status === "ACTIVE") return;
  const log = new ClaudeSessionLog(trx, appender, session, nowMs);
  await log.writeOpenCalls();
  await log.settleSaid(status === "COMPLETE");
  await log.keepAnswer();
  const isLive = !isEnd(runStatus);
  const closing = isLive ? closingEntry(status, nowMs) : null;
  if (closing !== null) log.write(closing);
  session.endingAt = null;
  await log.save();
  if (!isLive) return;
  const end = ends[status];
  await endActiveTurns(trx, runId, end, nowMs);
  // A run that waits cannot end otherwise than by going on.
  if (runStatus === "waiting") await changeStatus(trx, runId, "running", nowMs);
  const { created_at: createdAt } = await trx
    .selectFrom("runs")
    .select("created_at")
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const finishedAt = await lastReportedBefore(trx, runId, { totalLogs: session.totalLogs, createdAt });
  await changeStatus(trx, runId, end, nowMs, finishedAt === null ? {} : { finished_at: finishedAt });
  session.runStatus = end;
  await linkAnalyses(trx, appender, runId, nowMs);
}

function closingEntry(status: "COMPLETE" | "ERROR" | "CANCELLED", nowMs: number): NewEntry | null {
  if (status === "COMPLETE") return null;
  const isError = status === "ERROR";
  return {
    created_at: instantOf(nowMs),
    message_type: isError ? "ERROR" : "USER_MESSAGE",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: isError
      ? { code: "session_failed", message: "Claude Code ended with an error." }
      : { kind: "interruption", message: "Cancelled in the terminal." },
  };
}
