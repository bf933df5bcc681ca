import type { Dialect } from "./dialect.ts";
import { millisecondsOf, type Now } from "./instant.ts";
import type { SessionStore } from "./store.ts";

/** Sign-in codes and browser sessions: only their hashes are kept, and those that are over go when new ones come. */
export function sessionStore({ writer, reader, readAll }: Dialect, now: Now): SessionStore {
  const byHash = reader
    .selectFrom("sessions")
    .select(["user_id", "expires_at"])
    .where("hash", "=", new Uint8Array())
    .compile();

  return {
    async createLink({ hash, userId, expiresAt }) {
      const nowMs = now();
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("sign_in_links").where("expires_at", "<=", nowMs).execute();
        await trx
          .insertInto("sign_in_links")
          .values({ hash, user_id: userId, created_at: nowMs, expires_at: millisecondsOf(expiresAt) })
          .execute();
      });
    },

    async consumeLink(hash) {
      const nowMs = now();
      const used = await writer
        .updateTable("sign_in_links")
        .set({ used_at: nowMs })
        .where("hash", "=", hash)
        .where("used_at", "is", null)
        .where("expires_at", ">", nowMs)
        .returning("user_id")
        .executeTakeFirst();
      return used?.user_id ?? null;
    },

    async findLinkUserId(hash) {
      const row = await reader
        .selectFrom("sign_in_links")
        .select("user_id")
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    async create({ hash, userId, expiresAt }) {
      const nowMs = now();
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("sessions").where("expires_at", "<=", nowMs).execute();
        await trx
          .insertInto("sessions")
          .values({ hash, user_id: userId, created_at: nowMs, expires_at: millisecondsOf(expiresAt) })
          .execute();
      });
    },

    async findUserId(hash) {
      const [session] = await readAll(byHash, [hash]);
      return session !== undefined && session.expires_at > now() ? session.user_id : null;
    },

    async delete(hash) {
      await writer.deleteFrom("sessions").where("hash", "=", hash).execute();
    },
  };
}
