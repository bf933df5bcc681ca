import type { Transaction } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";

const dayMs = 24 * 3_600_000;
/** How long telemetry waits for its session. */
const unclaimedMs = 7 * dayMs;

/** See ClaudeTelemetryStore.removeUnclaimed. */
export function removeUnclaimed({ writer }: Pick<Dialect, "writer">, nowMs: number, limit: number): Promise<number> {
  return writer.transaction().execute(async (trx) => {
    const places = await selectUnclaimed(trx, nowMs).limit(limit).execute();
    for (const { organization_id, user_id, session_id } of places) {
      for (const table of ["claude_telemetry", "claude_telemetry_sums", "claude_telemetry_series"] as const) {
        await trx
          .deleteFrom(table)
          .where("organization_id", "=", organization_id)
          .where("user_id", "=", user_id)
          .where("session_id", "=", session_id)
          .execute();
      }
    }
    return places.length;
  });
}

/** Sessions that {@link removeUnclaimed} deletes the telemetry of. */
function selectUnclaimed(trx: Transaction<Schema>, nowMs: number) {
  return trx
    .selectFrom("claude_telemetry_sums as sums")
    .select(["sums.organization_id", "sums.user_id", "sums.session_id"])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("claude_sessions")
            .select("id")
            .whereRef("claude_sessions.organization_id", "=", "sums.organization_id")
            .whereRef("claude_sessions.session_id", "=", "sums.session_id")
            .whereRef("claude_sessions.user_id", "=", "sums.user_id"),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("claude_telemetry as told")
            .select("told.id")
            .whereRef("told.organization_id", "=", "sums.organization_id")
            .whereRef("told.user_id", "=", "sums.user_id")
            .whereRef("told.session_id", "=", "sums.session_id")
            .where("told.at", ">=", nowMs - unclaimedMs)
            .where("told.at", "<=", nowMs + dayMs),
        ),
      ),
    );
}
