import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import { requireLease } from "#lib/store/runs/leased-run.ts";
import type { Lease } from "#lib/store/runs/queue-store.ts";
import type { Schema } from "#lib/store/schema.ts";

/**
 * A prepared checkout. `building`: a run is storing it; `ready`; `stale`: no run starts from it any more, because it is too old,
 * the setup was changed or somebody wants it rebuilt; `failed`: it could not be stored, and `error` says why.
 */
export type PreparedRow = {
  repositoryId: number;
  key: string;
  state: "building" | "ready" | "stale" | "failed";
  runId: number;
  bytes: number;
  files: number;
  error: string | null;
  madeAt: string;
  usedAt: string;
  expiresAt: string;
};

type PreparedName = Pick<PreparedRow, "repositoryId" | "key">;

/** Prepared checkouts of repositories. */
export function preparedStore({ writer, reader }: Dialect, now: Now) {
  const select = () =>
    reader
      .selectFrom("prepared")
      .innerJoin("runs", "runs.id", "prepared.run_id")
      .selectAll("prepared")
      .select("runs.status as maker_status");
  const rowOf = (row: Selected): PreparedRow => ({
    repositoryId: row.repository_id,
    key: row.key,
    state: stateOf(row, now()),
    runId: row.run_id,
    bytes: row.bytes,
    files: row.files,
    error: row.state === "building" && row.maker_status !== "running" ? "its run ended meanwhile" : row.error,
    madeAt: instantOf(row.made_at),
    usedAt: instantOf(row.used_at),
    expiresAt: instantOf(row.expires_at),
  });
  return {
    /** All of a repository, newest first. The caller has checked that the repository is visible. */
    async list(repositoryId: number): Promise<PreparedRow[]> {
      const rows = select()
        .where("prepared.repository_id", "=", repositoryId)
        .orderBy("made_at", "desc")
        .orderBy("key");
      return (await rows.execute()).map(rowOf);
    },

    /** All of them, least recently used first. */
    async listAll(): Promise<PreparedRow[]> {
      return (await select().orderBy("used_at").orderBy("key").execute()).map(rowOf);
    },

    /** Records that a run starts from it; false if it is not usable. */
    async use({ repositoryId, key }: PreparedName): Promise<boolean> {
      const { numUpdatedRows } = await writer
        .updateTable("prepared")
        .set({ used_at: now() })
        .where("repository_id", "=", repositoryId)
        .where("key", "=", key)
        .where("state", "=", "ready")
        .where("stale", "=", 0)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Records that a run is about to keep what its setup made. Throws LeaseLostError. */
    async begin(lease: Lease, { repositoryId, key }: PreparedName): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        const at = now();
        const made = { run_id: lease.runId, made_at: at, used_at: at, expires_at: at, bytes: 0, files: 0 };
        const row = { ...made, state: "building", stale: 0, error: null } as const;
        await trx
          .insertInto("prepared")
          .values({ repository_id: repositoryId, key, ...row })
          .onConflict((conflict) => conflict.columns(["repository_id", "key", "machine_id"]).doUpdateSet(row))
          .execute();
      });
    },

    /**
     * Records that it was stored and how long it may be used, or why it could not be stored. Does nothing unless this run's `begin`
     * was the last.
     */
    async finish(
      lease: Lease,
      { repositoryId, key }: PreparedName,
      outcome: { bytes: number; files: number; usableMs: number } | { error: string },
    ): Promise<void> {
      const at = now();
      const kept =
        "error" in outcome
          ? ({ state: "failed", error: outcome.error } as const)
          : ({
              state: "ready",
              bytes: outcome.bytes,
              files: outcome.files,
              expires_at: at + outcome.usableMs,
            } as const);
      await writer
        .updateTable("prepared")
        .set({ ...kept, made_at: at, used_at: at })
        .where("repository_id", "=", repositoryId)
        .where("key", "=", key)
        .where("state", "=", "building")
        .where("run_id", "=", lease.runId)
        .execute();
    },

    /** Marks the repository's prepared checkouts as stale: no run starts from them any more. */
    outdate: (repositoryId: number): Promise<void> => outdate(writer, repositoryId),

    async remove({ repositoryId, key }: PreparedName): Promise<void> {
      await writer.deleteFrom("prepared").where("repository_id", "=", repositoryId).where("key", "=", key).execute();
    },
  };
}

export type PreparedStore = ReturnType<typeof preparedStore>;

type Selected = Selectable<Schema["prepared"]> & { maker_status: RunStatus };

function stateOf({ state, stale, expires_at, maker_status }: Selected, now: number): PreparedRow["state"] {
  // The engine has died, or could not record the end.
  if (state === "building" && maker_status !== "running") return "failed";
  return state === "ready" && (stale === 1 || expires_at <= now) ? "stale" : state;
}

/** See {@link PreparedStore.outdate}; includes those being kept now. */
export async function outdate(database: Kysely<Schema> | Transaction<Schema>, repositoryId: number): Promise<void> {
  await database.updateTable("prepared").set({ stale: 1 }).where("repository_id", "=", repositoryId).execute();
}

/** Values of {@link preparedStateColumn}. */
export const preparedState = { building: 3, usable: 2, outdated: 1 } as const;

/** SQL: {@link preparedState} of a query's repository; null or 0 if nothing is kept. */
export function preparedStateColumn(now: number) {
  return sql<number | null>`(
    select max(case
      when state = 'building' and maker.status = 'running' then ${preparedState.building}
      when state = 'ready' and stale = 0 and expires_at > ${now} then ${preparedState.usable}
      when state = 'ready' then ${preparedState.outdated}
      else 0 end)
    from prepared join runs as maker on maker.id = prepared.run_id where prepared.repository_id = repositories.id)`;
}
