import { zstdCompressSync } from "node:zlib";
import type { Transaction } from "kysely";
import type { MessageUsage, SessionPlace, SessionStep } from "#lib/claude-code/session-step.ts";
import type { ClaudeStatus } from "#lib/contract/logs/claude-code.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import { seqMax } from "#lib/store/entries/entry-id.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { startExternal } from "#lib/store/runs/external-runs.ts";
import { insertRun } from "#lib/store/runs/insert-run.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";
import { readRun } from "#lib/store/runs/run-rows.ts";
import type { NewRun } from "#lib/store/runs/run-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { endClaudeSession } from "./claude-session-end.ts";
import { keepFigures, keyBytes } from "./claude-session-figures.ts";
import { ClaudeSessionLog } from "./claude-session-log.ts";
import { type ClaudeSessionRow, findClaudeSession } from "./claude-session-read.ts";
import { endSilentSessions, reopenTurn, reviveSession } from "./claude-session-silence.ts";
import { showTelemetry } from "./claude-telemetry.ts";
import { type LoggedSession, loggedSession } from "./logged-session.ts";

/** A received line, and what it contains. A session has one line per key. */
export type NewClaudeLine = {
  key: string;
  /** The line itself, stored as received. */
  text: string;
  steps: readonly SessionStep[];
  leftOut: string | null;
  usage: MessageUsage | null;
  model: string | null;
  place: SessionPlace;
};

/** Result of a line: the seqs of the entries appended when it arrived, null if there were none. */
export type TakenLine = {
  runId: number;
  isNew: boolean;
  firstSeq: number | null;
  lastSeq: number | null;
  leftOut: string | null;
};

/** Why a session cannot be written to: it does not exist, or it is another person's. */
export type ClaudeRefusal = "absent" | "not_own";

const fullReason = "the run has as many entries as a run can have";
/** After this time nobody waits for the results of calls any more. */
const overdueMs = 10_000;

/** Sessions and their lines; see {@link ClaudeSessionStore}. */
export function claudeSessionStore(dialect: Dialect, appender: EntryAppender, now: Now) {
  const { writer, reader } = dialect;

  return {
    /** The run of the session; calls `run` to create it if there is none. */
    open(access: Access, sessionId: string, run: NewRun): Promise<{ runId: number } | { refused: "not_own" }> {
      return writer.transaction().execute(async (trx) => {
        const known = await findSession(trx, access, sessionId);
        const nowMs = now();
        if (known !== null) {
          if (known.userId !== access.userId) return { refused: "not_own" };
          await trx.updateTable("claude_sessions").set({ heard_at: nowMs }).where("id", "=", known.id).execute();
          return { runId: known.runId };
        }
        const runId = await insertRun(trx, access, run, nowMs, 0);
        await startExternal(trx, runId, nowMs);
        await trx
          .insertInto("claude_sessions")
          .values({
            organization_id: access.organizationId,
            user_id: access.userId,
            session_id: sessionId,
            run_id: runId,
            status: "ACTIVE",
            created_at: nowMs,
            lines: 0,
            open_turn: 1,
            heard_at: nowMs,
          })
          .execute();
        const { organizationId: organization_id, userId } = access;
        if (userId !== null) await showTelemetry(trx, { organization_id, user_id: userId, session_id: sessionId });
        return { runId };
      });
    },

    /** Stores the line and appends its entries, in one transaction. A line with a known key changes nothing. */
    take(access: Access, sessionId: string, line: NewClaudeLine): Promise<TakenLine | { refused: ClaudeRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string") return { refused: session };
        const known = await findLine(trx, session.id, line.key);
        if (known !== undefined) return { ...known, runId: session.runId, isNew: false };
        const nowMs = now();
        if (session.endingAt !== null && session.endingAt < nowMs - overdueMs) {
          await endClaudeSession(trx, appender, session, nowMs);
        }
        session.heardAt = nowMs;
        if (line.steps.length > 0) await reviveSession(trx, session, nowMs);
        const before = session.totalLogs;
        const log = new ClaudeSessionLog(trx, appender, session, nowMs);
        const isFull = session.totalLogs + 2 * line.steps.length + 2 > seqMax;
        const leftOut = isFull ? fullReason : ((await log.take(line.steps)) ?? line.leftOut);
        const isLogged = session.totalLogs > before;
        const taken = {
          firstSeq: isLogged ? before + 1 : null,
          lastSeq: isLogged ? session.totalLogs : null,
          leftOut: isLogged ? null : leftOut,
        };
        session.lines += 1;
        await trx
          .insertInto("claude_lines")
          .values({
            session: session.id,
            number: session.lines,
            key: keyBytes(line.key),
            received_at: nowMs,
            first_seq: taken.firstSeq,
            last_seq: taken.lastSeq,
            left_out: taken.leftOut,
            line: zstdCompressSync(line.text),
          })
          .execute();
        await keepFigures(trx, session, line);
        await log.save();
        return { ...taken, runId: session.runId, isNew: true };
      });
    },

    /**
     * Records the status, and ends or continues the run. With `waits`, a session that is COMPLETE but has open calls ends later,
     * by {@link ClaudeSessionStore.end}: `openCalls` says how many. ERROR or CANCELLED after COMPLETE, with no prompt between them, is
     * the turn's end.
     */
    report(
      access: Access,
      sessionId: string,
      status: ClaudeStatus,
      waits: boolean,
    ): Promise<{ run: RunRow; openCalls: number } | { refused: ClaudeRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string") return { refused: session };
        const nowMs = now();
        // COMPLETE is also reported when the agent stops talking; what is reported when its process ends is about the same turn.
        const isOverruled = session.status === "COMPLETE" && (status === "ERROR" || status === "CANCELLED");
        session.status = status;
        session.endingAt = null;
        session.heardAt = nowMs;
        await reviveSession(trx, session, nowMs);
        if (isOverruled && session.runStatus === "completed") await reopenTurn(trx, session, nowMs);
        const log = new ClaudeSessionLog(trx, appender, session, nowMs);
        let openCalls = 0;
        if (status === "ACTIVE") await log.reopen();
        else {
          openCalls = await log.countOpenCalls();
          if (waits && status === "COMPLETE" && openCalls > 0 && !isEnd(session.runStatus)) session.endingAt = nowMs;
          else {
            await endClaudeSession(trx, appender, session, nowMs);
            openCalls = 0;
          }
        }
        await log.save();
        return { run: await readRun(trx, session.runId), openCalls };
      });
    },

    /** Ends what {@link ClaudeSessionStore.report} left open, unless the session has continued since. */
    end(access: Access, sessionId: string): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string" || session.endingAt === null) return;
        await endAndSave(trx, session);
      });
    },

    /** Ends every session left open by `report` more than `waitedMs` ago: the process that should have ended it is gone. */
    async endLeft(waitedMs: number): Promise<void> {
      const left = await reader
        .selectFrom("claude_sessions")
        .select("id")
        .where("ending_at", "is not", null)
        .where("ending_at", "<=", now() - waitedMs)
        .execute();
      for (const { id } of left) {
        await writer.transaction().execute(async (trx) => {
          const session = await loggedSession(trx, (query) => query.where("claude_sessions.id", "=", id));
          if (session !== null && session.endingAt !== null) await endAndSave(trx, session);
        });
      }
    },

    /**
     * Ends the runs of live sessions that were silent for too long: no line, no status, no telemetry. Returns the ids of the
     * runs. The next line with steps, or the next status, lets such a run and its turn continue, or ends it as reported.
     */
    endSilent: (silenceMs: number): Promise<number[]> => endSilentSessions(dialect, appender, silenceMs, now()),

    find: ({ organizationId }: Access, sessionId: string): Promise<ClaudeSessionRow | null> =>
      findClaudeSession(reader, organizationId, sessionId),
  };

  async function endAndSave(trx: Transaction<Schema>, session: LoggedSession): Promise<void> {
    const nowMs = now();
    session.endingAt = null;
    await endClaudeSession(trx, appender, session, nowMs);
    await new ClaudeSessionLog(trx, appender, session, nowMs).save();
  }
}

/** Sessions of Claude Code in somebody's own terminal. Each is an external run whose steps arrive as lines. */
export type ClaudeSessionStore = ReturnType<typeof claudeSessionStore>;

function findSession(trx: Transaction<Schema>, { organizationId }: Access, sessionId: string) {
  return loggedSession(trx, (query) =>
    query.where("claude_sessions.organization_id", "=", organizationId).where("session_id", "=", sessionId),
  );
}

async function ownSession(trx: Transaction<Schema>, access: Access, sessionId: string) {
  const session = await findSession(trx, access, sessionId);
  if (session === null) return "absent";
  return session.userId === access.userId ? session : "not_own";
}

async function findLine(trx: Transaction<Schema>, session: number, key: string) {
  const row = await trx
    .selectFrom("claude_lines")
    .select(["first_seq", "last_seq", "left_out"])
    .where("session", "=", session)
    .where("key", "=", keyBytes(key))
    .executeTakeFirst();
  return row === undefined ? undefined : { firstSeq: row.first_seq, lastSeq: row.last_seq, leftOut: row.left_out };
}
