import type { ClaudeStatus } from "#lib/contract/logs/claude-code.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import { findTelemetry, type ToldTelemetry } from "./claude-telemetry.ts";

/** A session of Claude Code with its totals. */
export type ClaudeSessionRow = {
  sessionId: string;
  runId: number;
  status: ClaudeStatus;
  createdAt: string;
  /** When the last line, status or telemetry arrived. */
  heardAt: string;
  /** When its run was ended for its silence; null if it was not, or has continued since. */
  silentSince: string | null;
  /** Number of lines, and of those without an entry, by reason. */
  lines: number;
  leftOut: { reason: string; lines: number }[];
  /** Calls without a result. */
  openCalls: number;
  /** Null if there was none. */
  telemetry: ToldTelemetry | null;
};

/** A session of the organization, or null. */
export async function findClaudeSession(
  reader: Dialect["reader"],
  organizationId: number,
  sessionId: string,
): Promise<ClaudeSessionRow | null> {
  const row = await reader
    .selectFrom("claude_sessions")
    .select(["id", "user_id", "session_id", "run_id", "status", "created_at", "lines", "heard_at", "silent_at"])
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
    heardAt: instantOf(row.heard_at),
    silentSince: row.silent_at === null ? null : instantOf(row.silent_at),
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
}
