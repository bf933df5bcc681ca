import type { Transaction } from "kysely";
import type { NewChanges } from "#lib/contract/runs/changes.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { RunRow } from "./run-rows.ts";
import { readRun } from "./run-rows.ts";

/** Stores changes measured between turns. */
export function changesWriter({ writer }: Dialect) {
  return {
    /**
     * Stores a run's changes that were measured while no turn is at work. Stores nothing if turns were added since the run was
     * read: their end measures again.
     */
    setChanges({ id, turns }: Pick<RunRow, "id" | "turns">, diff: Uint8Array, changes: NewChanges): Promise<void> {
      return writer.transaction().execute(async (trx) => {
        const now = await readRun(trx, id).catch(() => null);
        const isAtRest = now !== null && now.turns === turns && (isEnd(now.status) || now.status === "evaluating");
        if (isAtRest) await putChanges(trx, id, diff, changes);
      });
    },
  };
}

/**
 * What the run's branch is measured against: the branch that its work is for, and the changes stored before. These stay once the
 * pull request is merged or closed, until the run does more. `head` null: stored by an older version; `before` null: none are.
 */
export function measuredBefore({ changes, pull, baseBranch }: Pick<RunRow, "changes" | "pull" | "baseBranch">) {
  const isFrozen = pull?.state === "merged" || pull?.state === "closed";
  const before = changes === null ? null : { head: changes.head_commit, isFrozen };
  return { baseBranch: pull?.baseBranch ?? baseBranch, before };
}

/** Replaces a run's changes. */
export async function putChanges(
  trx: Transaction<Schema>,
  runId: number,
  diff: Uint8Array,
  changes: NewChanges,
): Promise<void> {
  await trx
    .updateTable("runs")
    .set({ changes: JSON.stringify(changes) })
    .where("id", "=", runId)
    .execute();
  await trx
    .insertInto("run_diffs")
    .values({ run_id: runId, diff })
    .onConflict((conflict) => conflict.column("run_id").doUpdateSet({ diff }))
    .execute();
}
