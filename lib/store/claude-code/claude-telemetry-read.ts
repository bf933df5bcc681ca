import { sql } from "kysely";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Listed, Window } from "#lib/store/window.ts";

/** A stored telemetry record. */
export type TelemetryRow = {
  id: number;
  kind: "event" | "metric";
  name: string;
  /** When it happened, or arrived if that is unknown. */
  at: string;
  value: number | null;
  attributes: Record<string, unknown>;
};

/** Records of the run's session, and how many were dropped for newer ones. */
export type ListedTelemetry = Listed<TelemetryRow> & { dropped: number };

/** The last time with a four-digit year. */
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** Stored records of the run's Claude Code session, latest arrival first; none for other runs. */
export async function listTelemetry(
  { reader }: Dialect,
  { organizationId }: Access,
  runId: number,
  { skip, limit }: Window,
): Promise<ListedTelemetry> {
  const session = await reader
    .selectFrom("claude_sessions")
    .select(["user_id", "session_id"])
    .where("run_id", "=", runId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (session === undefined || session.user_id === null) return { items: [], total: 0, dropped: 0 };
  const { user_id: userId, session_id: sessionId } = session;
  const sums = await reader
    .selectFrom("claude_telemetry_sums")
    .select(["records", "dropped"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  const rows = await reader
    .selectFrom("claude_telemetry")
    .select(["id", "kind", "name", sql<number>`min(at, ${sql.lit(latest)})`.as("at"), "value", "attributes"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("session_id", "=", sessionId)
    .orderBy("id", "desc")
    .limit(limit)
    .offset(skip)
    .execute();
  const { records, dropped } = sums ?? { records: 0, dropped: 0 };
  return {
    items: rows.map(({ at, attributes, ...row }) => ({
      ...row,
      at: instantOf(at),
      attributes: fieldsOf(JSON.parse(attributes)),
    })),
    total: records - dropped,
    dropped,
  };
}
