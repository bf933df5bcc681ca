import type { Transaction } from "kysely";
import type { WrittenEntry } from "#lib/store/entries/append-entries.ts";
import { blockId } from "#lib/store/entries/entry-blocks.ts";
import type { Schema } from "#lib/store/schema.ts";

/** Steps that all ended longer than this before their run was created were reported afterwards, in ms: clocks differ less. */
export const clockDifferenceMax = 60_000;

/** Moves the start of a run that another system executes to the beginning of the earliest of these steps, if that was before. */
export async function noteReportedStart(
  trx: Transaction<Schema>,
  runId: number,
  entries: readonly WrittenEntry[],
): Promise<void> {
  const beganAt = Math.min(...entries.map(({ facts }) => facts.time - facts.duration));
  await trx
    .updateTable("runs")
    .set({ started_at: beganAt })
    .where("id", "=", runId)
    .where("started_at", ">", beganAt)
    .execute();
}

/**
 * When a run that another system executed ended, if it ends now: with its latest step if all of them were reported afterwards, else
 * now, or with a step whose clock is ahead. Never before its start.
 */
export async function reportedEnd(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<number> {
  const run = await trx
    .selectFrom("runs")
    .select(["created_at", "started_at", "total_logs"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom("entry_spans")
    .select("times")
    .where("id", ">=", blockId(runId, 1))
    .where("id", "<=", blockId(runId, run.total_logs))
    .execute();
  const latest = Math.max(...rows.map(({ times }) => latestOf(times)));
  const wasReportedAfterwards = run.total_logs > 0 && latest < run.created_at - clockDifferenceMax;
  return Math.max(run.started_at ?? run.created_at, latest, wasReportedAfterwards ? latest : nowMs);
}

/** The latest of packed times; see {@link packFacts}. */
function latestOf(times: Uint8Array): number {
  const view = new DataView(times.buffer, times.byteOffset, times.byteLength);
  let latest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < times.byteLength; at += 8) latest = Math.max(latest, view.getFloat64(at, true));
  return latest;
}
