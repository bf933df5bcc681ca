import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { Transaction } from "kysely";
import type { MessageUsage, SessionPlace, SessionStep } from "#lib/claude-code/session-step.ts";
import type { ClaudeStatus } from "#lib/contract/claude-code.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { isEnd } from "#lib/contract/run-status.ts";
import { JsonObject } from "#lib/contract/text.ts";
import type { Access } from "./access.ts";
import type { EntryAppender } from "./append-entries.ts";
import { endClaudeSession } from "./claude-session-end.ts";
import { ClaudeSessionLog, type LoggedSession, loggedSession } from "./claude-session-log.ts";
import { findTelemetry, showTelemetry, type ToldTelemetry } from "./claude-telemetry.ts";
import type { Dialect } from "./dialect.ts";
import { seqMax } from "./entry-id.ts";
import { startExternal } from "./external-runs.ts";
import { insertRun } from "./insert-run.ts";
import { instantOf, type Now } from "./instant.ts";
import { readRun } from "./run-rows.ts";
import type { Schema } from "./schema.ts";
import type { NewRun, RunRow } from "./store.ts";

/** A line as it came, and what it tells. Of a session there is one line of each key. */
export type NewClaudeLine = {
  key: string;
  /** The line itself, kept as it came. */
  text: string;
  steps: readonly SessionStep[];
  leftOut: string | null;
  usage: MessageUsage | null;
  model: string | null;
  place: SessionPlace;
};

/** What became of a line: the seqs of the entries that were appended when it came, null where there were none. */
export type TakenLine = {
  runId: number;
  isNew: boolean;
  firstSeq: number | null;
  lastSeq: number | null;
  leftOut: string | null;
};

/** Why a session cannot be written to: it is not there, or it is another person's. */
export type ClaudeRefusal = "absent" | "not_own";

/** A session of Claude Code and what came of it. */
export type ClaudeSessionRow = {
  sessionId: string;
  runId: number;
  status: ClaudeStatus;
  createdAt: string;
  /** How many lines came, and how many of them no entry tells of, by the reason. */
  lines: number;
  leftOut: { reason: string; lines: number }[];
  /** Calls whose results have not come. */
  openCalls: number;
  /** Null where none came. */
  telemetry: ToldTelemetry | null;
};

/** Sessions of Claude Code in somebody's own terminal. Each is an external run whose steps come as lines. */
export type ClaudeSessionStore = {
  /** The run of the session; `run` is made where there is none. */
  open(access: Access, sessionId: string, run: NewRun): Promise<{ runId: number } | { refused: "not_own" }>;
  /** Keeps the line and appends what it tells, in one transaction. A line of a key that is known changes nothing. */
  take(access: Access, sessionId: string, line: NewClaudeLine): Promise<TakenLine | { refused: ClaudeRefusal }>;
  /**
   * Notes the status, and ends the run or lets it go on. With `waits`, a session that is COMPLETE but has open calls ends later,
   * by {@link ClaudeSessionStore.end}: `openCalls` says how many.
   */
  report(
    access: Access,
    sessionId: string,
    status: ClaudeStatus,
    waits: boolean,
  ): Promise<{ run: RunRow; openCalls: number } | { refused: ClaudeRefusal }>;
  /** Ends what {@link ClaudeSessionStore.report} left open, unless the session has gone on since. */
  end(access: Access, sessionId: string): Promise<void>;
  /** Ends every session that was left open more than `waitedMs` ago: a process that was to do it is gone. */
  endLeft(waitedMs: number): Promise<void>;
  find(access: Access, sessionId: string): Promise<ClaudeSessionRow | null>;
};

const fullReason = "the run has as many entries as a run can have";
/** After so long nobody waits for the results of calls any more. */
const overdueMs = 10_000;

/** Sessions and their lines; see {@link ClaudeSessionStore}. */
export function claudeSessionStore(dialect: Dialect, appender: EntryAppender, now: Now): ClaudeSessionStore {
  const { writer, reader } = dialect;

  return {
    open(access, sessionId, run) {
      return writer.transaction().execute(async (trx) => {
        const known = await findSession(trx, access, sessionId);
        if (known !== null) return known.userId === access.userId ? { runId: known.runId } : { refused: "not_own" };
        const nowMs = now();
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
          })
          .execute();
        const { organizationId: organization_id, userId } = access;
        if (userId !== null) await showTelemetry(trx, { organization_id, user_id: userId, session_id: sessionId });
        return { runId };
      });
    },

    take(access, sessionId, line) {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string") return { refused: session };
        const known = await findLine(trx, session.id, line.key);
        if (known !== undefined) return { ...known, runId: session.runId, isNew: false };
        const nowMs = now();
        if (session.endingAt !== null && session.endingAt < nowMs - overdueMs) {
          await endClaudeSession(trx, appender, session, nowMs);
        }
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

    report(access, sessionId, status, waits) {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string") return { refused: session };
        const nowMs = now();
        session.status = status;
        session.endingAt = null;
        const log = new ClaudeSessionLog(trx, appender, session, nowMs);
        let openCalls = 0;
        if (status === "ACTIVE") await log.goOn();
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

    end(access, sessionId) {
      return writer.transaction().execute(async (trx) => {
        const session = await ownSession(trx, access, sessionId);
        if (typeof session === "string" || session.endingAt === null) return;
        await endAndSave(trx, session);
      });
    },

    async endLeft(waitedMs) {
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

    async find({ organizationId }, sessionId) {
      const row = await reader
        .selectFrom("claude_sessions")
        .select(["id", "user_id", "session_id", "run_id", "status", "created_at", "lines"])
        .where("organization_id", "=", organizationId)
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const leftOut = await reader
        .selectFrom("claude_lines")
        .select(({ fn, ref }) => [ref("left_out").as("reason"), fn.countAll<number>().as("lines")])
        .where("session", "=", row.id)
        .where("left_out", "is not", null)
        .groupBy("left_out")
        .orderBy("lines", "desc")
        .orderBy("left_out")
        .execute();
      const { open } = await reader
        .selectFrom("claude_calls")
        .select(({ fn }) => fn.countAll<number>().as("open"))
        .where("session", "=", row.id)
        .where("state", "=", "open")
        .executeTakeFirstOrThrow();
      return {
        sessionId: row.session_id,
        runId: row.run_id,
        status: row.status,
        createdAt: instantOf(row.created_at),
        lines: row.lines,
        leftOut: leftOut.map(({ reason, lines }) => ({ reason: reason ?? "", lines })),
        openCalls: open,
        telemetry:
          row.user_id === null
            ? null
            : await findTelemetry(reader, {
                organization_id: organizationId,
                user_id: row.user_id,
                session_id: row.session_id,
              }),
      };
    },
  };

  async function endAndSave(trx: Transaction<Schema>, session: LoggedSession): Promise<void> {
    const nowMs = now();
    session.endingAt = null;
    await endClaudeSession(trx, appender, session, nowMs);
    await new ClaudeSessionLog(trx, appender, session, nowMs).save();
  }
}

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

/** Keys are of any length and may hold anything: 16 bytes of their SHA-256 tell them apart. */
function keyBytes(key: string): Uint8Array {
  return createHash("sha256").update(key).digest().subarray(0, 16);
}

/** The model, the tokens and the place that a line tells of become the run's. */
async function keepFigures(trx: Transaction<Schema>, session: LoggedSession, line: NewClaudeLine): Promise<void> {
  const { usage, model, place } = line;
  if (usage !== null) await addUsage(trx, session, usage);
  if (usage === null && model === null && Object.keys(place).length === 0) return;
  const run = await trx
    .selectFrom("runs")
    .select(["model", "metadata"])
    .where("id", "=", session.runId)
    .executeTakeFirstOrThrow();
  const { input, output } = session.tokens;
  const metadata = JsonObject.parse(JSON.parse(run.metadata));
  const told = JSON.stringify({ ...metadata, claude_code: { ...fieldsOf(metadata.claude_code), ...place } });
  await trx
    .updateTable("runs")
    .set({ model: model ?? run.model, metadata: told })
    .$if(usage !== null, (query) => query.set({ tokens: JSON.stringify({ input, output, total: input + output }) }))
    .where("id", "=", session.runId)
    .execute();
}

/** Lines of one message tell its tokens so far: the highest figures count. */
async function addUsage(trx: Transaction<Schema>, session: LoggedSession, usage: MessageUsage): Promise<void> {
  const message = keyBytes(usage.messageId);
  const known = await trx
    .selectFrom("claude_usage")
    .select(["input", "output"])
    .where("session", "=", session.id)
    .where("message", "=", message)
    .executeTakeFirst();
  const input = Math.max(usage.input, known?.input ?? 0);
  const output = Math.max(usage.output, known?.output ?? 0);
  session.tokens.input += input - (known?.input ?? 0);
  session.tokens.output += output - (known?.output ?? 0);
  await trx
    .insertInto("claude_usage")
    .values({ session: session.id, message, input, output })
    .onConflict((conflict) => conflict.columns(["session", "message"]).doUpdateSet({ input, output }))
    .execute();
}
