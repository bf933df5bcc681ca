import type { Transaction } from "kysely";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { ClaudeStatus } from "#lib/contract/logs/claude-code.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Schema } from "#lib/store/schema.ts";

/** A session as a transaction works on it; {@link saveSession} writes the changes. */
export type LoggedSession = {
  readonly id: number;
  readonly userId: number | null;
  readonly runId: number;
  status: ClaudeStatus;
  runStatus: RunStatus;
  totalLogs: number;
  lines: number;
  /** The turn whose prompt is still to come. */
  openTurn: number | null;
  /**
   * The agent's last words, unless they are already the run's answer. `isHeld`: not yet an entry, because they may be the
   * answer.
   */
  said: { text: string; at: string; isHeld: boolean } | null;
  /** When it was told to end while calls were open. */
  endingAt: number | null;
  /** When the last line or status arrived. */
  heardAt: number;
  /** When the run was ended for its silence. */
  silentAt: number | null;
  tokens: { input: number; output: number };
};

/** The session that the query finds, and its run; null if there is none. */
export async function loggedSession(
  trx: Transaction<Schema>,
  where: (query: ReturnType<typeof selectSessions>) => ReturnType<typeof selectSessions>,
): Promise<LoggedSession | null> {
  const row = await where(selectSessions(trx)).executeTakeFirst();
  if (row === undefined) return null;
  const said = row.said === null ? null : fieldsOf(JSON.parse(row.said));
  return {
    id: row.id,
    userId: row.user_id,
    runId: row.run_id,
    status: row.status,
    runStatus: row.run_status,
    totalLogs: row.total_logs,
    lines: row.lines,
    openTurn: row.open_turn,
    said: said === null ? null : { text: String(said.text), at: String(said.at), isHeld: said.isHeld === true },
    endingAt: row.ending_at,
    heardAt: row.heard_at,
    silentAt: row.silent_at,
    tokens: { input: row.input_tokens, output: row.output_tokens },
  };
}

function selectSessions(trx: Transaction<Schema>) {
  return trx
    .selectFrom("claude_sessions")
    .innerJoin("runs", "runs.id", "claude_sessions.run_id")
    .select([
      "claude_sessions.id",
      "claude_sessions.user_id",
      "claude_sessions.run_id",
      "claude_sessions.status",
      "claude_sessions.lines",
      "claude_sessions.open_turn",
      "claude_sessions.said",
      "claude_sessions.ending_at",
      "claude_sessions.heard_at",
      "claude_sessions.silent_at",
      "claude_sessions.input_tokens",
      "claude_sessions.output_tokens",
      "runs.status as run_status",
      "runs.total_logs",
    ]);
}

/** Writes the changes of a session. */
export async function saveSession(trx: Transaction<Schema>, session: LoggedSession): Promise<void> {
  const { id, status, lines, openTurn, said, endingAt, heardAt, silentAt, tokens } = session;
  await trx
    .updateTable("claude_sessions")
    .set({
      status,
      lines,
      open_turn: openTurn,
      said: said === null ? null : JSON.stringify(said),
      ending_at: endingAt,
      heard_at: heardAt,
      silent_at: silentAt,
      input_tokens: tokens.input,
      output_tokens: tokens.output,
    })
    .where("id", "=", id)
    .execute();
}
