import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { TelemetryRecord } from "#lib/otlp/read-records.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import { keepTurnFigures } from "#lib/store/turns/turn-figures.ts";
import type { Window } from "#lib/store/window.ts";
import { type ListedTelemetry, listTelemetry } from "./claude-telemetry-read.ts";
import {
  addedSums,
  amount,
  isLate,
  noSums,
  reportedSums,
  type SeriesPoint,
  type TelemetrySums,
} from "./telemetry-sums.ts";
import { removeUnclaimed } from "./unclaimed-telemetry.ts";

/** Totals of a session's telemetry: each record counts once, even if it was dropped for newer ones. */
export type ToldTelemetry = {
  records: number;
  dropped: number;
  costUsd: number | null;
  tokens: { input: number; output: number } | null;
};

const rowsMax = 5_000;
const attributesBytesMax = 8_192;
const shortAttribute = 100;

type Place = { organization_id: number; user_id: number; session_id: string };

/** See {@link ClaudeTelemetryStore}. */
export function claudeTelemetryStore(dialect: Dialect, now: Now) {
  const { writer } = dialect;
  return {
    /** Stored records of the run's session, latest arrival first; none for a run without one. */
    list: (access: Access, runId: number, window: Window): Promise<ListedTelemetry> =>
      listTelemetry(dialect, access, runId, window),

    /**
     * Stores the records of the person's own sessions, each once, whether or not the session is known yet; the newest 5,000 per
     * session. Their cost and tokens are added to the run, unless its lines report the tokens. Returns how many were left out
     * because they name no session, or one of another person, and how many were stored before.
     */
    keep(
      { organizationId, userId }: Access & { userId: number },
      records: readonly TelemetryRecord[],
    ): Promise<{ leftOut: number; repeated: number }> {
      return writer.transaction().execute(async (trx) => {
        let [leftOut, repeated] = [0, 0];
        for (const [sessionId, some] of bySession(records)) {
          const place: Place = { organization_id: organizationId, user_id: userId, session_id: sessionId ?? "" };
          if (sessionId === null || (await isAnothers(trx, place))) leftOut += some.length;
          else {
            repeated += some.length - (await keepSome(trx, place, some, now()));
            await noteHeard(trx, place, now());
            await showTelemetry(trx, place);
          }
        }
        return { leftOut, repeated };
      });
    },

    /**
     * Deletes the telemetry of up to `limit` sessions that have no run, because it was deleted or none was ever created, and of
     * which no record is from the last seven days; returns the number of sessions. A record from more than a day ahead counts as
     * old. For the engine.
     */
    removeUnclaimed: (limit: number): Promise<number> => removeUnclaimed(dialect, now(), limit),
  };
}

/** Telemetry of sessions of Claude Code. It is stored with their runs and never becomes an entry. */
export type ClaudeTelemetryStore = ReturnType<typeof claudeTelemetryStore>;

/** Totals of a session's telemetry, or null if there is none. */
export async function findTelemetry(
  trx: Pick<Transaction<Schema>, "selectFrom">,
  place: Place,
): Promise<ToldTelemetry | null> {
  const row = await trx
    .selectFrom("claude_telemetry_sums")
    .select(["records", "dropped", "sums"])
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .executeTakeFirst();
  return row === undefined ? null : { records: row.records, dropped: row.dropped, ...reportedSums(sumsIn(row.sums)) };
}

/** Copies cost and tokens of a session's telemetry to its run; tokens from its lines stay. */
export async function showTelemetry(trx: Transaction<Schema>, place: Place): Promise<void> {
  const session = await trx
    .selectFrom("claude_sessions")
    .select(["run_id", "input_tokens", "output_tokens"])
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .executeTakeFirst();
  const telemetry = session === undefined ? null : await findTelemetry(trx, place);
  if (session === undefined || telemetry === null) return;
  const { costUsd, tokens } = telemetry;
  const isReported = session.input_tokens + session.output_tokens > 0;
  const total = tokens === null || isReported ? null : { ...tokens, total: tokens.input + tokens.output };
  if (costUsd === null && total === null) return;
  await trx
    .updateTable("runs")
    .set({
      ...(costUsd === null ? {} : { cost_usd: costUsd }),
      ...(total === null ? {} : { tokens: JSON.stringify(total) }),
    })
    .where("id", "=", session.run_id)
    .execute();
  await keepTurnFigures(trx, session.run_id);
}

/** Telemetry shows that the terminal is alive, even without lines. */
async function noteHeard(trx: Transaction<Schema>, place: Place, nowMs: number): Promise<void> {
  await trx
    .updateTable("claude_sessions")
    .set({ heard_at: nowMs })
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .execute();
}

function bySession(records: readonly TelemetryRecord[]): Map<string | null, TelemetryRecord[]> {
  const found = new Map<string | null, TelemetryRecord[]>();
  for (const record of records) {
    const id = record.sessionId === null || record.sessionId.length > 200 ? null : record.sessionId;
    const some = found.get(id);
    if (some === undefined) found.set(id, [record]);
    else some.push(record);
  }
  return found;
}

async function isAnothers(trx: Transaction<Schema>, place: Place): Promise<boolean> {
  const session = await trx
    .selectFrom("claude_sessions")
    .select("user_id")
    .where("organization_id", "=", place.organization_id)
    .where("session_id", "=", place.session_id)
    .executeTakeFirst();
  return session !== undefined && session.user_id !== place.user_id;
}

/** Returns how many of them are new. */
async function keepSome(
  trx: Transaction<Schema>,
  place: Place,
  records: readonly TelemetryRecord[],
  nowMs: number,
): Promise<number> {
  const before = await trx
    .selectFrom("claude_telemetry_sums")
    .select(["records", "dropped", "sums"])
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .executeTakeFirst();
  let sums = before === undefined ? noSums : sumsIn(before.sums);
  let added = 0;
  for (const record of records) {
    const series = digest(["series", record.name, record.attributes]);
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("claude_telemetry")
      .values({
        ...place,
        key: digest([record.kind, record.name, record.atNs, record.value, record.attributes]),
        series,
        kind: record.kind,
        name: record.name,
        at: record.atMs ?? nowMs,
        value: record.value,
        attributes: bounded(record.attributes),
      })
      .onConflict((conflict) => conflict.columns(["organization_id", "user_id", "session_id", "key"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) continue;
    added += 1;
    const last = record.isCumulative ? await findNewest(trx, place, series) : null;
    sums = addedSums(sums, record, last);
    if (record.isCumulative && (last === null || !isLate(record, last))) {
      const newest = { started_at: record.startedMs, at: record.atMs ?? nowMs, value: amount(record.value) };
      await trx
        .insertInto("claude_telemetry_series")
        .values({ ...place, series, ...newest })
        .onConflict((conflict) =>
          conflict.columns(["organization_id", "user_id", "session_id", "series"]).doUpdateSet(newest),
        )
        .execute();
    }
  }
  if (added === 0) return 0;
  const total = (before?.records ?? 0) + added;
  const dropped = Math.max(0, total - rowsMax);
  await dropOldest(trx, place, dropped - (before?.dropped ?? 0));
  const row = { records: total, dropped, sums: JSON.stringify(sums) };
  await trx
    .insertInto("claude_telemetry_sums")
    .values({ ...place, ...row })
    .onConflict((conflict) => conflict.columns(["organization_id", "user_id", "session_id"]).doUpdateSet(row))
    .execute();
  return added;
}

/** The newest point of a cumulative series, kept though its record was dropped. */
async function findNewest(trx: Transaction<Schema>, place: Place, series: Uint8Array): Promise<SeriesPoint | null> {
  const row = await trx
    .selectFrom("claude_telemetry_series")
    .select(["started_at", "at", "value"])
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .where("series", "=", series)
    .executeTakeFirst();
  return row === undefined ? null : { startedMs: row.started_at, atMs: row.at, value: row.value };
}

async function dropOldest(trx: Transaction<Schema>, place: Place, count: number): Promise<void> {
  if (count <= 0) return;
  const oldest = trx
    .selectFrom("claude_telemetry")
    .select("id")
    .where("organization_id", "=", place.organization_id)
    .where("user_id", "=", place.user_id)
    .where("session_id", "=", place.session_id)
    .orderBy("id")
    .limit(sql.lit(count));
  await trx.deleteFrom("claude_telemetry").where("id", "in", oldest).execute();
}

/** The attributes as JSON. If they are very long, only the short ones are stored. */
function bounded(attributes: TelemetryRecord["attributes"]): string {
  const whole = JSON.stringify(attributes);
  if (whole.length <= attributesBytesMax) return whole;
  const short = Object.entries(attributes).filter(([key, value]) => `${key}${value}`.length <= shortAttribute);
  return JSON.stringify(Object.fromEntries(short));
}

function digest(value: unknown): Uint8Array {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, 16);
}

/** What this store wrote. */
function sumsIn(json: string): TelemetrySums {
  return { ...noSums, ...(JSON.parse(json) as TelemetrySums) };
}
