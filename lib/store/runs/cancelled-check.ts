import type { Transaction } from "kysely";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { Progress } from "#lib/contract/runs/progress.ts";
import { cutText } from "#lib/cut-text.ts";
import { instantOf } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";

const nameMax = 200;

/** Name of the check that a command of the repository is: the command on one line. */
export function checkNameOf(command: string): string {
  return cutText(command.replace(/\s*\n\s*/g, "; "), nameMax);
}

/** The entry of the repository's own check that is running now and is about to be stopped; none if none is. */
export async function cancelledCheck(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<NewEntry[]> {
  const row = await trx
    .selectFrom("pull_requests")
    .innerJoin("run_progress", "run_progress.run_id", "pull_requests.run_id")
    .select(["run_progress.progress", "pull_requests.rounds", "pull_requests.watch"])
    .where("pull_requests.run_id", "=", runId)
    .where("pull_requests.stage", "=", "testing")
    .executeTakeFirst();
  const [running] = row === undefined ? [] : Progress.parse(JSON.parse(row.progress)).tools;
  const command = running === undefined ? null : textField(fieldsOf(running.tool_input), "command");
  if (row === undefined || running === undefined || command === null) return [];
  const check = {
    ...{ name: checkNameOf(command), status: "completed", conclusion: "cancelled", url: null },
    ...{ duration_ms: Math.max(0, nowMs - Date.parse(running.started_at)), annotations: [], excerpt: null },
  };
  const commit = textField(fieldsOf(JSON.parse(row.watch)), "toTest");
  const about = { round: row.rounds, commit, source: "local", checks: [check] };
  const observation = { ...about, failing: [], ignored: [], red_on_base: [] };
  return [newEntry("DETECT_PR_ERRORS", instantOf(nowMs), { observation })];
}
