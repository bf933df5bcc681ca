import type { SignInWay } from "#lib/contract/person.ts";
import { Lru } from "#lib/lru.ts";
import type { Dialect } from "./dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "./instant.ts";
import type { SessionRow, SessionStore } from "./sign-in-store.ts";
import { statement } from "./statement.ts";
import { passOverFullDisk } from "./store-error.ts";

const touchEveryMs = 60_000;
const touchedMax = 10_000;
const listedMax = 100;

const byHash = statement<{ hash: Uint8Array }, { user_id: number; expires_at: number }>(
  "select user_id, expires_at from sessions where hash = :hash",
);

/** Sign-in codes and browser sessions; only their hashes are stored, and expired ones are deleted when new ones are created. */
export function sessionStore({ writer, reader, readAll }: Dialect, now: Now): SessionStore {
  /** When this process last recorded a session's use, so that most uses cost nothing. */
  const touchedAt = new Lru<string, number>({ count: touchedMax });
  const columns = ["hash", "way", "user_agent", "created_at", "last_seen_at", "expires_at"] as const;

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

    async create({ hash, userId, expiresAt, way = "link", userAgent = null }) {
      const nowMs = now();
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("sessions").where("expires_at", "<=", nowMs).execute();
        await trx
          .insertInto("sessions")
          .values({
            hash,
            user_id: userId,
            way,
            user_agent: userAgent,
            created_at: nowMs,
            expires_at: millisecondsOf(expiresAt),
          })
          .execute();
      });
    },

    async findUserId(hash) {
      const [session] = await readAll(byHash, { hash });
      return session !== undefined && session.expires_at > now() ? session.user_id : null;
    },

    async touch(hash, userId) {
      const nowMs = now();
      const key = Buffer.from(hash).toString("base64");
      const before = touchedAt.get(key);
      if (before !== undefined && nowMs - before < touchEveryMs) return;
      touchedAt.set(key, nowMs);
      await writer
        .transaction()
        .execute(async (trx) => {
          await trx.updateTable("sessions").set({ last_seen_at: nowMs }).where("hash", "=", hash).execute();
          await trx.updateTable("users").set({ last_seen_at: nowMs }).where("id", "=", userId).execute();
        })
        .catch(passOverFullDisk);
    },

    async find(hash) {
      const row = await reader
        .selectFrom("sessions")
        .select(columns)
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row === undefined ? null : sessionRow(row);
    },

    async list(userId) {
      const rows = await reader
        .selectFrom("sessions")
        .select(columns)
        .where("user_id", "=", userId)
        .where("expires_at", ">", now())
        .orderBy("created_at", "desc")
        .limit(listedMax)
        .execute();
      return rows.map((row) => ({ ...sessionRow(row), hash: row.hash }));
    },

    async delete(hash) {
      await writer.deleteFrom("sessions").where("hash", "=", hash).execute();
    },

    async deleteOthers(userId, hash) {
      const nowMs = now();
      const ended = await writer
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .where("hash", "<>", hash)
        .returning("expires_at")
        .execute();
      return ended.filter(({ expires_at }) => expires_at > nowMs).length;
    },
  };
}

type Selected = {
  way: SignInWay;
  user_agent: string | null;
  created_at: number;
  last_seen_at: number | null;
  expires_at: number;
};

function sessionRow(row: Selected): SessionRow {
  return {
    way: row.way,
    userAgent: row.user_agent,
    createdAt: instantOf(row.created_at),
    lastSeenAt: instantOrNull(row.last_seen_at),
    expiresAt: instantOf(row.expires_at),
  };
}
