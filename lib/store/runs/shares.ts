import type { Kysely } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { compiledStatement, named } from "#lib/store/statement.ts";
import { passOverFullDisk } from "#lib/store/store-error.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import type { Access } from "./access.ts";
import { requireAct } from "./run-acts.ts";

/** A link that lets anyone with it read a run, or part of it. */
export type ShareRow = ReturnType<typeof shareRow>;

/** Links to runs; only a hash of each is stored. */
export function shareStore({ writer, reader, readAll }: Dialect, now: Now) {
  const byHash = compiledStatement<{ hash: Uint8Array }, SelectedShare>(
    selectShares(reader).where("shares.hash", "=", named<Uint8Array>("hash")).compile(),
  );

  return {
    /** Null if the run is not visible. */
    create(
      access: Access & { userId: number },
      share: Pick<ShareRow, "runId" | "hint" | "fromSeq" | "toSeq" | "showsOutputs" | "expiresAt"> & {
        hash: Uint8Array;
      },
    ): Promise<ShareRow | null> {
      return writer.transaction().execute(async (trx) => {
        const run = await findRun(trx, access, share.runId);
        if (run === null) return null;
        requireAct(access, "share", run.user_id);
        const { id } = await trx
          .insertInto("shares")
          .values({
            organization_id: access.organizationId,
            run_id: share.runId,
            user_id: access.userId,
            hint: share.hint,
            hash: share.hash,
            from_seq: share.fromSeq,
            to_seq: share.toSeq,
            shows_outputs: share.showsOutputs ? 1 : 0,
            created_at: now(),
            expires_at: share.expiresAt === null ? null : millisecondsOf(share.expiresAt),
            views: 0,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return shareRow(await selectShares(trx).where("shares.id", "=", id).executeTakeFirstOrThrow());
      });
    },

    /** By SHA-256 of the secret; null for unknown, revoked and expired ones. One read by key: open streams ask every second. */
    async findByHash(hash: Uint8Array): Promise<ShareRow | null> {
      const [row] = await readAll(byHash, { hash });
      if (row === undefined || (row.expires_at !== null && row.expires_at <= now())) return null;
      return shareRow(row);
    },

    /** Counts one view. */
    async noteView(shareId: number): Promise<void> {
      await writer
        .updateTable("shares")
        .set(({ eb }) => ({ views: eb("views", "+", 1), last_viewed_at: now() }))
        .where("id", "=", shareId)
        .execute()
        .catch(passOverFullDisk);
    },

    /** Links of a run that are not revoked, newest first, including expired ones. */
    async list(access: Access, runId: number, { skip, limit }: Window): Promise<Listed<ShareRow>> {
      const { organizationId } = access;
      const run = await findRun(reader, access, runId);
      if (run === null) return { items: [], total: 0 };
      requireAct(access, "share", run.user_id);
      const rows = await selectShares(reader)
        .where("shares.run_id", "=", runId)
        .where("shares.organization_id", "=", organizationId)
        .orderBy("shares.id", "desc")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom("shares")
        .where("run_id", "=", runId)
        .where("organization_id", "=", organizationId)
        .where("revoked_at", "is", null)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(shareRow), total };
    },

    /** Revokes it at once; null if it does not exist (any more). */
    revoke(access: Access, shareId: number): Promise<ShareRow | null> {
      return writer.transaction().execute(async (trx) => {
        const row = await selectShares(trx)
          .where("shares.id", "=", shareId)
          .where("shares.organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (row === undefined) return null;
        const run = await findRun(trx, access, row.run_id);
        requireAct(access, "share", row.user_id, run?.user_id ?? null);
        await trx.updateTable("shares").set({ revoked_at: now() }).where("id", "=", shareId).execute();
        return shareRow(row);
      });
    },
  };
}

/** Owner of the run, if it is visible. */
async function findRun(database: Kysely<Schema>, { organizationId }: Access, runId: number) {
  const run = await database
    .selectFrom("runs")
    .select("user_id")
    .where("id", "=", runId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return run ?? null;
}

/** Links that are not revoked. */
function selectShares(database: Kysely<Schema>) {
  return database
    .selectFrom("shares")
    .innerJoin("users", "users.id", "shares.user_id")
    .select([
      "shares.id",
      "shares.organization_id",
      "shares.run_id",
      "shares.user_id",
      "users.full_name as user_full_name",
      "shares.hint",
      "shares.from_seq",
      "shares.to_seq",
      "shares.shows_outputs",
      "shares.created_at",
      "shares.expires_at",
      "shares.last_viewed_at",
      "shares.views",
    ])
    .where("shares.revoked_at", "is", null);
}

type SelectedShare = Awaited<ReturnType<ReturnType<typeof selectShares>["execute"]>>[number];

function shareRow(row: SelectedShare) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    runId: row.run_id,
    /** Id of the person who created it. */
    userId: row.user_id,
    userName: row.user_full_name,
    /** Last characters of the secret. */
    hint: row.hint,
    /** The first entry shown. */
    fromSeq: row.from_seq,
    /** The last entry shown; null follows the run as it grows. */
    toSeq: row.to_seq,
    showsOutputs: row.shows_outputs !== 0,
    createdAt: instantOf(row.created_at),
    /** Null if it never expires. */
    expiresAt: instantOrNull(row.expires_at),
    lastViewedAt: instantOrNull(row.last_viewed_at),
    views: row.views,
  };
}
