import type { Transaction } from "kysely";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { type EndStatus, isEnd } from "#lib/contract/runs/run-status.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import { instantOf } from "#lib/store/instant.ts";
import { linkAnalyses } from "#lib/store/runs/analysis-runs.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import { reportedEnd } from "#lib/store/runs/reported-times.ts";
import type { Schema } from "#lib/store/schema.ts";
import { endActiveTurns } from "#lib/store/turns/turns.ts";
import { ClaudeSessionLog } from "./claude-session-log.ts";
import type { LoggedSession } from "./logged-session.ts";

/** How a session ends: its status, and whether the agent's last words were its answer. */
type Ending = {
  status: EndStatus;
  hasAnswered: boolean;
  /** Text of the closing entry; null if the steps say enough. */
  closing: Pick<NewEntry, "message_type" | "observation"> | null;
};

const endings: Record<"COMPLETE" | "ERROR" | "CANCELLED", Ending> = {
  COMPLETE: { status: "completed", hasAnswered: true, closing: null },
  ERROR: {
    status: "failed",
    hasAnswered: false,
    closing: {
      message_type: "ERROR",
      observation: { code: "session_failed", message: "Claude Code ended with an error." },
    },
  },
  CANCELLED: {
    status: "cancelled",
    hasAnswered: false,
    closing: {
      message_type: "USER_MESSAGE",
      observation: { kind: "interruption", message: "Cancelled in the terminal." },
    },
  },
};

/**
 * Ends a session: calls without a result are written as unfinished, the agent's last words become the answer, and the run ends.
 * A run that had already ended keeps its status, unless it was reopened first.
 */
export async function endClaudeSession(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  session: LoggedSession,
  nowMs: number,
): Promise<void> {
  if (session.status !== "ACTIVE") await end(trx, appender, session, endings[session.status], nowMs);
}

/** Ends the run of a session that has been silent for too long; its last reported status stays. */
export async function endSilentSession(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  session: LoggedSession,
  silenceMs: number,
  nowMs: number,
): Promise<void> {
  session.silentAt = nowMs;
  const message = `Nothing was received from the terminal for ${inWords(silenceMs)}. The run continues when a new line arrives.`;
  const closing = { message_type: "ERROR", observation: { code: "session_silent", message } } as const;
  await end(trx, appender, session, { status: "timed_out", hasAnswered: false, closing }, nowMs);
}

async function end(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  session: LoggedSession,
  { status, hasAnswered, closing }: Ending,
  nowMs: number,
): Promise<void> {
  const { runId, runStatus } = session;
  const log = new ClaudeSessionLog(trx, appender, session, nowMs);
  await log.writeOpenCalls();
  await log.settleSaid(hasAnswered);
  await log.keepAnswer();
  const isLive = !isEnd(runStatus);
  if (isLive && closing !== null) log.write(closingEntry(closing, nowMs));
  session.endingAt = null;
  await log.save();
  if (!isLive) return;
  await endActiveTurns(trx, runId, status, nowMs);
  // A waiting run must be running again before it can end.
  if (runStatus === "waiting") await changeStatus(trx, runId, "running", nowMs);
  await changeStatus(trx, runId, status, nowMs, { finished_at: await reportedEnd(trx, runId, nowMs) });
  session.runStatus = status;
  await linkAnalyses(trx, appender, runId, nowMs);
}

function closingEntry(closing: Pick<NewEntry, "message_type" | "observation">, nowMs: number): NewEntry {
  return newEntry(closing.message_type, instantOf(nowMs), closing);
}

/** A duration in whole hours or minutes if possible, otherwise in seconds. */
function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, "hour"]
      : seconds % 60 === 0
        ? [seconds / 60, "minute"]
        : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
