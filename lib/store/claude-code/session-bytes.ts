import { sql } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";

type Session = Pick<Schema["claude_sessions"], "organization_id" | "user_id" | "session_id"> & { id: number };

/** Bytes of a Claude Code session: its lines, and its telemetry. */
export async function countSessionBytes(reader: Dialect["reader"], session: Session): Promise<number> {
  const lines = await reader
    .selectFrom("claude_lines")
    .select(sql<number>`coalesce(sum(octet_length(line)), 0)`.as("bytes"))
    .where("session", "=", session.id)
    .executeTakeFirstOrThrow();
  const telemetry = await reader
    .selectFrom("claude_telemetry")
    .select(sql<number>`coalesce(sum(octet_length(attributes)), 0)`.as("bytes"))
    .where("organization_id", "=", session.organization_id)
    .where("user_id", "=", session.user_id)
    .where("session_id", "=", session.session_id)
    .executeTakeFirstOrThrow();
  return lines.bytes + telemetry.bytes;
}
