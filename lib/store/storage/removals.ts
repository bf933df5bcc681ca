import type { Transaction } from "kysely";
import { endStatuses, isEnd, runStatuses } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { blockId } from "#lib/store/entries/entry-blocks.ts";
import { entryId, seqMax } from "#lib/store/entries/entry-id.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import type { Schema } from "#lib/store/schema.ts";
import { clearStoredResponses } from "#lib/store/stored-responses.ts";
import { noteDeletedEvents } from "#lib/store/webhooks/webhook-events.ts";

/**
 * Remaining work for something deleted, for the engine, which alone touches files. `run`: the run's row is gone; its entries,
 * checkout, home and branch are to be removed. `repository`: likewise with its mirror and prepared checkouts.
 */
export type Removal = { id: number } & (
  | { kind: "run"; runId: number; repositoryId: number | null }
  | { kind: "repository"; repositoryId: number }
);

/** Why a run cannot be deleted: it is not visible; it, or a run that analyzes it, is live (`runId` says which). */
export type RemovalRefusal = { refused: "absent" } | { refused: "live"; runId: number };

/** Deletes runs and what belongs to them. */
export function removalStore({ writer, reader }: Dialect, now: Now) {
  return {
    /**
     * Deletes a run that has ended, with the runs that analyzed it, which quote it. Nobody can read them any more; the engine
     * deletes the rest. Returns their ids.
     */
    removeRun(access: Access, runId: number): Promise<{ removed: number[] } | RemovalRefusal> {
      return writer.transaction().execute(async (trx) => {
        const run = await trx
          .selectFrom("runs")
          .select("user_id")
          .where("id", "=", runId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (run === undefined) return { refused: "absent" };
        requireAct(access, "delete", run.user_id);
        return removeEnded(trx, [runId], now());
      });
    },

    /**
     * Deletes up to `limit` runs of a repository, the newest first, as `removeRun` does, if every one of the repository's runs has
     * ended; returns their number, 0 if it has none. The caller may delete repositories.
     */
    removeRunsOf(
      { organizationId }: Access,
      repositoryId: number,
      limit: number,
    ): Promise<{ removed: number[] } | Extract<RemovalRefusal, { refused: "live" }>> {
      return writer.transaction().execute(async (trx) => {
        const ofRepository = () =>
          trx
            .selectFrom("runs")
            .select("id")
            .where("repository_id", "=", repositoryId)
            .where("organization_id", "=", organizationId);
        const live = await ofRepository().where("status", "in", liveStatuses).limit(1).executeTakeFirst();
        if (live !== undefined) return { refused: "live", runId: live.id };
        const runs = await ofRepository().orderBy("id", "desc").limit(limit).execute();
        return removeEnded(
          trx,
          runs.map(({ id }) => id),
          now(),
        );
      });
    },

    /** Deletes those of an organization's runs that have ended and are not being analyzed; returns the ids of all deleted runs. */
    removeMany(organizationId: number, runIds: readonly number[]): Promise<number[]> {
      return writer.transaction().execute(async (trx) => {
        const analyzed = trx
          .selectFrom("analysis_runs")
          .innerJoin("runs as analyses", "analyses.id", "analysis_runs.run_id")
          .select("analysis_runs.of_run_id")
          .where("analyses.status", "in", liveStatuses);
        const runs = await trx
          .selectFrom("runs")
          .select("id")
          .where("id", "in", runIds)
          .where("organization_id", "=", organizationId)
          .where("status", "in", endStatuses)
          .where("id", "not in", analyzed)
          .execute();
        const ids = runs.map(({ id }) => id);
        const all = await removeEnded(trx, ids, now());
        if ("removed" in all) return all.removed;
        // If an analysis of a run's analysis is live, that run stays with its analyses, and blocks no other.
        const removed: number[] = [];
        for (const id of ids) {
          if (removed.includes(id)) continue;
          const done = await removeEnded(trx, [id], now());
          if ("removed" in done) removed.push(...done.removed);
        }
        return removed;
      });
    },

    /** Deletes a repository without runs, with its setup, rules and keys; false if it is not visible. Throws if it has runs. */
    removeRepository({ organizationId }: Access, repositoryId: number): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const own = await trx
          .selectFrom("repositories")
          .select("id")
          .where("id", "=", repositoryId)
          .where("organization_id", "=", organizationId)
          .executeTakeFirst();
        if (own === undefined) return false;
        await trx.deleteFrom("disk_usage").where("kind", "=", "mirror").where("object_id", "=", repositoryId).execute();
        await trx.deleteFrom("repositories").where("id", "=", repositoryId).execute();
        const removal = { kind: "repository", run_id: null, repository_id: repositoryId, created_at: now() } as const;
        await trx.insertInto("pending_deletions").values(removal).execute();
        return true;
      });
    },

    /** Removals to do, oldest first, with ids above `after`. */
    async list(after: number, limit: number): Promise<Removal[]> {
      const rows = await reader
        .selectFrom("pending_deletions")
        .selectAll()
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.flatMap(({ id, kind, run_id, repository_id }): Removal[] => {
        if (kind === "run") return run_id === null ? [] : [{ id, kind, runId: run_id, repositoryId: repository_id }];
        return repository_id === null ? [] : [{ id, kind, repositoryId: repository_id }];
      });
    },

    /** Deletes up to `limit` entries of a deleted run; true if there may be more. */
    removeEntries(runId: number, limit: number): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const gone = await trx
          .deleteFrom("entries")
          .where("id", "in", (eb) =>
            eb
              .selectFrom("entries")
              .select("id")
              .where("id", ">=", entryId(runId, 0))
              .where("id", "<=", entryId(runId, seqMax))
              .limit(limit),
          )
          .executeTakeFirstOrThrow();
        if (gone.numDeletedRows >= limit) return true;
        for (const table of ["entry_blocks", "entry_spans"] as const) {
          await trx
            .deleteFrom(table)
            .where("id", ">=", blockId(runId, 1))
            .where("id", "<=", blockId(runId, seqMax))
            .execute();
        }
        return false;
      });
    },

    /** Records that these are done. */
    async finish(ids: readonly number[]): Promise<void> {
      if (ids.length > 0) await writer.deleteFrom("pending_deletions").where("id", "in", ids).execute();
    },
  };
}

const liveStatuses = runStatuses.filter((status) => !isEnd(status));

/** Deletes the runs, and those that analyzed them, if all of them have ended. */
async function removeEnded(
  trx: Transaction<Schema>,
  runIds: readonly number[],
  nowMs: number,
): Promise<{ removed: number[] } | { refused: "live"; runId: number }> {
  if (runIds.length === 0) return { removed: [] };
  const runs = await withAnalyses(trx, runIds);
  const live = runs.find(({ status }) => !isEnd(status));
  if (live !== undefined) return { refused: "live", runId: live.id };
  const ids = runs.map(({ id }) => id);
  await deleteRows(trx, ids);
  const removals = runs.map(({ id, repository_id }) => ({ kind: "run" as const, run_id: id, repository_id }));
  await trx
    .insertInto("pending_deletions")
    .values(removals.map((removal) => ({ ...removal, created_at: nowMs })))
    .execute();
  return { removed: ids };
}

type Found = Pick<Schema["runs"], "status" | "repository_id"> & { id: number };

/** The runs and every run that analyzed one of them, or one of these. */
async function withAnalyses(trx: Transaction<Schema>, runIds: readonly number[]): Promise<Found[]> {
  const found: Found[] = [];
  for (let ids = runIds; ids.length > 0; ) {
    const columns = ["id", "status", "repository_id"] as const;
    found.push(...(await trx.selectFrom("runs").select(columns).where("id", "in", ids).execute()));
    const analyses = await trx.selectFrom("analysis_runs").select("run_id").where("of_run_id", "in", ids).execute();
    ids = analyses.map(({ run_id }) => run_id).filter((id) => !found.some((run) => run.id === id));
  }
  return found;
}

/** Deletes the rows of runs. What refers to a run goes with it, so these are the rows that name it otherwise. */
async function deleteRows(trx: Transaction<Schema>, runIds: readonly number[]): Promise<void> {
  await clearStoredResponses(trx, runIds);
  for (const table of ["claude_telemetry", "claude_telemetry_sums", "claude_telemetry_series"] as const) {
    await trx
      .deleteFrom(table)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("organization_id", "session_id"),
          "in",
          selectFrom("claude_sessions")
            .select(["organization_id", "session_id"])
            .where("run_id", "in", runIds)
            .$asTuple("organization_id", "session_id"),
        ),
      )
      .execute();
  }
  await trx.deleteFrom("disk_usage").where("kind", "in", ["run", "files"]).where("object_id", "in", runIds).execute();
  await trx
    .updateTable("setups")
    .set({ proposal: null, proposal_run_id: null, proposed_at: null, proposal_open: 0 })
    .where("proposal_run_id", "in", runIds)
    .execute();
  await noteDeletedEvents(trx, (eb) => eb("run_id", "in", runIds));
  await trx.deleteFrom("runs").where("id", "in", runIds).execute();
}
