import type { Transaction } from "kysely";
import { linkAnalyses } from "./analysis-runs.ts";
import { type EntryAppender, writeEntries } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import { personEntry } from "./person-entry.ts";
import type { Schema } from "./schema.ts";

/**
 * Ends a queued or evaluated run that no engine works on as cancelled, with `message` as its last entry. Its waiting turns must
 * have been held before.
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
