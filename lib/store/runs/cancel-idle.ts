import type { Transaction } from "kysely";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { personEntry } from "#lib/store/entries/person-entry.ts";
import type { Schema } from "#lib/store/schema.ts";
import { linkAnalyses } from "./analysis-runs.ts";
import { changeStatus } from "./change-status.ts";

/**
 * Ends as cancelled a queued or evaluating run that no engine works on, with `message` as its last entry. The caller must have put
 * its waiting turns on hold.
 */
export async function cancelIdle(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  runId: number,
  message: string,
  nowMs: number,
): Promise<void> {
  await appender.append(trx, runId, writeEntries([personEntry({ kind: "interruption", message }, nowMs)]));
  await changeStatus(trx, runId, "cancelled", nowMs);
  await linkAnalyses(trx, appender, runId, nowMs);
}
