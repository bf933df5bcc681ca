import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import { type Scope, scopes } from "#lib/contract/people/role-scopes.ts";
import { Lru } from "#lib/lru.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import { passOverFullDisk } from "#lib/store/store-error.ts";
import type { Listed, Window } from "#lib/store/window.ts";

export type TokenRow = ReturnType<typeof tokenRow>;

/** Tokens of one person, or one token; all of the organization if empty. */
export type TokenFilter = { userId?: number; tokenId?: number };

/** A token with the name of its person. */
export type ListedTokenRow = TokenRow & { userName: string | null };

const Scopes = z.array(z.enum(scopes));
const touchEveryMs = 60_000;
const touchedMax = 10_000;

const byHash = statement<{ hash: Uint8Array }, Selectable<Schema["tokens"]>>(
  "select * from tokens where hash = :hash and revoked_at is null",
);

/** API tokens; only their hash is stored. */
export function tokenStore({ writer, reader, readAll }: Dialect, now: Now) {
  /** When this process last recorded a token's use, so that most uses cost nothing. */
  const touchedAt = new Lru<number, number>({ count: touchedMax });
  /** Parsed scope lists by their text: every request brings a token's, and there are few. */
  const scopesRead = new Lru<string, readonly Scope[]>({ count: 1_000 });
  const rowOf = (row: Selectable<Schema["tokens"]>) =>
    tokenRow(
      row,
      scopesRead.obtain(row.scopes, () => Scopes.parse(JSON.parse(row.scopes))),
    );

  return {
    async create(
      { organizationId, userId }: Access & { userId: number },
      {
        name,
        role,
        scopes,
        statusStyle,
        hint,
        expiresAt,
        hash,
      }: Pick<TokenRow, "name" | "role" | "scopes" | "statusStyle" | "hint" | "expiresAt"> & { hash: Uint8Array },
    ): Promise<TokenRow> {
      const row = await writer
        .insertInto("tokens")
        .values({
          organization_id: organizationId,
          user_id: userId,
          name,
          role,
          scopes: JSON.stringify(scopes),
          status_style: statusStyle,
          hint,
          hash,
          created_at: now(),
          expires_at: expiresAt === null ? null : millisecondsOf(expiresAt),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return rowOf(row);
    },

    /**
     * By SHA-256 of the secret; null for unknown, revoked and expired ones. One read of a few microseconds: every request makes
     * it.
     */
    async findByHash(hash: Uint8Array): Promise<TokenRow | null> {
      const [row] = await readAll(byHash, { hash });
      if (row === undefined || (row.expires_at !== null && row.expires_at <= now())) return null;
      return rowOf(row);
    },

    /** Records the use, at most once a minute per token. */
    async touch(tokenId: number): Promise<void> {
      const nowMs = now();
      const before = touchedAt.get(tokenId);
      if (before !== undefined && nowMs - before < touchEveryMs) return;
      touchedAt.set(tokenId, nowMs);
      await writer
        .updateTable("tokens")
        .set({ last_used_at: nowMs })
        .where("id", "=", tokenId)
        .where(({ or, eb }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<=", nowMs - touchEveryMs)]))
        .execute()
        .catch(passOverFullDisk);
    },

    /** Newest first, without revoked ones. */
    async list(access: Access, filter: TokenFilter, { skip, limit }: Window): Promise<Listed<ListedTokenRow>> {
      const listed = (eb: ExpressionBuilder<Schema, "tokens">) => visible(eb, access, filter);
      const rows = await reader
        .selectFrom("tokens")
        .selectAll()
        .select(personsName)
        .where(listed)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom("tokens")
        .where(listed)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map((row) => ({ ...rowOf(row), userName: row.user_name })), total };
    },

    /** Revokes it; null if it does not exist or does not match the filter. */
    async revoke(access: Access, tokenId: number, filter: TokenFilter): Promise<TokenRow | null> {
      const row = await writer
        .updateTable("tokens")
        .set({ revoked_at: now() })
        .where("id", "=", tokenId)
        .where((eb) => visible(eb, access, filter))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : rowOf(row);
    },
  };
}

const personsName = sql<string | null>`(select full_name from users where users.id = tokens.user_id)`.as("user_name");

function visible(eb: ExpressionBuilder<Schema, "tokens">, access: Access, { userId, tokenId }: TokenFilter) {
  return eb.and([
    eb("organization_id", "=", access.organizationId),
    eb("revoked_at", "is", null),
    userId === undefined ? sql<boolean>`true` : eb("user_id", "=", userId),
    tokenId === undefined ? sql<boolean>`true` : eb("id", "=", tokenId),
  ]);
}

function tokenRow(row: Selectable<Schema["tokens"]>, scopes: readonly Scope[]) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    name: row.name,
    role: row.role,
    scopes: [...scopes],
    statusStyle: row.status_style,
    hint: row.hint,
    createdAt: instantOf(row.created_at),
    expiresAt: instantOrNull(row.expires_at),
    lastUsedAt: instantOrNull(row.last_used_at),
  };
}
