import { joinedDialect } from "#lib/store/sqlite/joined-dialect.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";
import type { IdempotencyStore, Store } from "./store.ts";

const keptMs = 24 * 3_600_000;

/**
 * Responses stored under idempotency keys. The effect and the response are committed together, so that no crash in between can
 * repeat the effect. `storeOver` makes a store that writes into an open transaction.
 */
export function idempotencyStore(dialect: Dialect, now: Now, storeOver: (dialect: Dialect) => Store): IdempotencyStore {
  return {
    once({ caller, operation, key }, digest, work) {
      return dialect.writer.transaction().execute(async (trx) => {
        const nowMs = now();
        await trx.deleteFrom("idempotency_keys").where("expires_at", "<=", nowMs).execute();
        const kept = await trx
          .selectFrom("idempotency_keys")
          .select(["digest", "status", "body"])
          .where("caller", "=", caller)
          .where("operation", "=", operation)
          .where("key", "=", key)
          .executeTakeFirst();
        if (kept !== undefined) {
          if (!Buffer.from(kept.digest).equals(digest)) return "mismatch";
          return { answer: { status: kept.status, body: kept.body }, replayed: true };
        }
        const answer = await work(storeOver(joinedDialect(dialect, trx)));
        const expires_at = nowMs + keptMs;
        await trx
          .insertInto("idempotency_keys")
          .values({ caller, operation, key, digest, ...answer, created_at: nowMs, expires_at })
          .execute();
        return { answer, replayed: false };
      });
    },
  };
}
