import { sql } from "kysely";
import { Changes } from "#lib/contract/runs/changes.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "./access.ts";

/**
 * A run's work as a commit. `commit` null: there is none, because the run began empty and made nothing. `unended`: the turn has not
 * ended. `unrecorded`: stored by an older version of Errand, which did not record the commit.
 */
export type WorkCommit = { state: "known"; commit: string | null } | { state: "unended" | "unrecorded" };

/**
 * Finds the commit with a run's work at the end of a turn; 0: the one its changes are compared with; null: the current one. If a turn stored
 * nothing, the commit of the turn that started before it counts. Null if the run is not visible or has no such turn.
 */
export type FindWorkCommit = (access: Access, runId: number, turn: number | null) => Promise<WorkCommit | null>;

/** Reads {@link WorkCommit}. */
export function workCommitReader({ reader }: Dialect): FindWorkCommit {
  return async ({ organizationId }, runId, turn) => {
    const run = await reader
      .selectFrom("runs")
      .select(["base_commit", "changes"])
      .where("id", "=", runId)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    if (run === undefined) return null;
    const base: WorkCommit = { state: "known", commit: run.base_commit };
    const measured = run.changes === null ? null : Changes.parse(JSON.parse(run.changes));
    // Changes of an earlier version do not name their commits.
    const { base_commit = null, head_commit = null } = measured ?? {};
    if (turn === 0) return head_commit === null ? base : { state: "known", commit: base_commit };
    if (turn === null && head_commit !== null) return { state: "known", commit: head_commit };
    const turns = await reader
      .selectFrom("turns")
      .select(["number", "state", "kept_commit"])
      .where("run_id", "=", runId)
      .where("state", "!=", "withdrawn")
      // A turn that was cancelled before it started has only an end.
      .orderBy(sql`coalesce(started_at, finished_at)`, "desc")
      .orderBy("number", "desc")
      .execute();
    const at = turn === null ? 0 : turns.findIndex(({ number }) => number === turn);
    if (at === -1) return null;
    if (turn !== null && turns[at]?.state !== "done") return { state: "unended" };
    const kept = turns.slice(at).find(({ kept_commit }) => kept_commit !== null)?.kept_commit;
    if (kept === undefined || kept === null) return base;
    return kept === "" ? { state: "unrecorded" } : { state: "known", commit: kept };
  };
}
