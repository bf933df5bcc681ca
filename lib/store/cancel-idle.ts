import type { Transaction } from "kysely";
import { linkAnalyses } from "./analysis-runs.ts";
import { type EntryAppender, writeEntries } from "./append-entries.ts";
import { changeStatus } from "./change-status.ts";
import { instantOf } from "./instant.ts";
import type { Schema } from "./schema.ts";

/**
 * Ends a run at which no engine is, queued or evaluated, as cancelled, with `message` as its last entry. Its waiting turns must have
 * been held before.
 */
export async function cancelIdle(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  runId: number,
  message: string,
  nowMs: number,
): Promise<void> {
  await appender.append(trx, runId, writeEntries([cancelledEntry(message, nowMs)]));
  await changeStatus(trx, runId, "cancelled", nowMs);
  await linkAnalyses(trx, appender, runId, nowMs);
}

function cancelledEntry(message: string, nowMs: number) {
  return {
    created_at: instantOf(nowMs),
    message_type: "USER_MESSAGE",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: { kind: "interruption", message },
  } as const;
}
