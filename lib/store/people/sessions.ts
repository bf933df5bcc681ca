import type { SignInWay } from "#lib/contract/people/person.ts";
import { Lru } from "#lib/lru.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "#lib/store/instant.ts";
import { statement } from "#lib/store/statement.ts";
import { passOverFullDisk } from "#lib/store/store-error.ts";

/** A browser's session, as its person sees it. */
export type SessionRow = ReturnType<typeof sessionRow>;

const touchEveryMs = 60_000;
const touchedMax = 10_000;
const listedMax = 100;

const byHash = statement<{ hash: Uint8Array }, { user_id: number; expires_at: number }>(
  "select user_id, expires_at from sessions where hash = :hash",
);

/** Sign-in codes and browser sessions; only their hashes are stored, and expired ones are deleted when new ones are created. */
export function sessionStore({ writer, reader, readAll }: Dialect, now: Now) {
  /** When this process last recorded a session's use, so that most uses cost nothing. */
  const touchedAt = new Lru<string, number>({ count: touchedMax });
  const columns = ["hash", "way", "user_agent", "created_at", "last_seen_at", "expires_at"] as const;

  return {
    /** A one-time sign-in code, by hash. */
    async createLink({
      hash,
      userId,
      expiresAt,
    }: {
      hash: Uint8Array;
      userId: number;
      expiresAt: string;
    }): Promise<void> {
      const nowMs = now();
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("sign_in_links").where("expires_at", "<=", nowMs).execute();
        await trx
          .insertInto("sign_in_links")
          .values({ hash, user_id: userId, created_at: nowMs, expires_at: millisecondsOf(expiresAt) })
          .execute();
      });
    },

    /** Uses the code up: the user's id, or null if it is unknown, used or expired. Atomic. */
    async consumeLink(hash: Uint8Array): Promise<number | null> {
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

    /** The person a known code was created for, used or not; null for unknown and old codes. */
    async findLinkUserId(hash: Uint8Array): Promise<number | null> {
      const row = await reader
        .selectFrom("sign_in_links")
        .select("user_id")
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /** `way` is how the person signed in, by default with a sign-in link. */
    async create({
      hash,
      userId,
      expiresAt,
      way = "link",
      userAgent = null,
    }: {
      hash: Uint8Array;
      userId: number;
      expiresAt: string;
      way?: SignInWay;
      userAgent?: string | null;
    }): Promise<void> {
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

    /** The user of a live session, or null. One read of a few microseconds: every request makes it. */
    async findUserId(hash: Uint8Array): Promise<number | null> {
      const [session] = await readAll(byHash, { hash });
      return session !== undefined && session.expires_at > now() ? session.user_id : null;
    },

    /** Records the use of a session, at most once a minute. */
    async touch(hash: Uint8Array, userId: number): Promise<void> {
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

    /** A live session, or null. */
    async find(hash: Uint8Array): Promise<SessionRow | null> {
      const row = await reader
        .selectFrom("sessions")
        .select(columns)
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row === undefined ? null : sessionRow(row);
    },

    /** Live sessions of a person, newest first, 100 at most. */
    async list(userId: number): Promise<(SessionRow & { hash: Uint8Array })[]> {
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

    async delete(hash: Uint8Array): Promise<void> {
      await writer.deleteFrom("sessions").where("hash", "=", hash).execute();
    },

    /** Ends the person's sessions except the one with that hash; returns how many were live. */
    async deleteOthers(userId: number, hash: Uint8Array): Promise<number> {
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

function sessionRow(row: Selected) {
  return {
    way: row.way,
    userAgent: row.user_agent,
    createdAt: instantOf(row.created_at),
    lastSeenAt: instantOrNull(row.last_seen_at),
    expiresAt: instantOf(row.expires_at),
  };
}
