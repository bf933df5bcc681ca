import type { Kysely } from "kysely";
import type { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast, weakerRole } from "#lib/contract/people/role-scopes.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

/** The person a reset link is for. */
export type ResetRow = { userId: number; fullName: string | null; email: string | null; expiresAt: string };

/**
 * Reason that no reset link is created: the person is not a member; they are above the caller; the caller lacks the rights in
 * another organization of the person; or the person owns the installation and the caller does not.
 */
export type ResetRefusal = "absent" | "above" | "elsewhere" | "installation";

/** Somebody on GitHub; `id` is null if GitHub was not asked. */
export type GithubAccount = { username: string; id: string | null };

/** What a change may set; what is left out stays as it is. */
type AccountChanges = {
  fullName?: string;
  email?: string;
  rules?: string | null;
  github?: GithubAccount | null;
};

/** Passwords, names, addresses and reset links. */
export function accountStore({ writer, reader }: Dialect, now: Now) {
  const openReset = async (database: Kysely<Schema>, hash: Uint8Array) => {
    const row = await database
      .selectFrom("password_resets")
      .innerJoin("users", "users.id", "password_resets.user_id")
      .select(["password_resets.id", "users.id as user_id", "users.full_name", "users.email"])
      .select(["password_resets.expires_at", "password_resets.organization_id", "password_resets.created_by"])
      .where("hash", "=", hash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    // Roles and memberships of both people may have changed since the link was created.
    const maker = { organizationId: row.organization_id, userId: row.created_by };
    const refused = await findRefusal(database, maker, { roleMax: "owner", organizationId: null }, row.user_id);
    return refused === null ? row : undefined;
  };

  return {
    /** The account with an address; `password` is null if none is set. */
    async findByEmail(email: string): Promise<{ userId: number; password: string | null } | null> {
      const row = await reader
        .selectFrom("users")
        .select(["id", "password"])
        .where("email", "=", email)
        .executeTakeFirst();
      return row === undefined ? null : { userId: row.id, password: row.password };
    },

    /** The password of an account, or null. */
    async findPassword(userId: number): Promise<string | null> {
      const row = await reader.selectFrom("users").select("password").where("id", "=", userId).executeTakeFirst();
      return row?.password ?? null;
    },

    /** The person's rules for agents, or null. */
    async findRules(userId: number): Promise<string | null> {
      const row = await reader.selectFrom("users").select("rules").where("id", "=", userId).executeTakeFirst();
      return row?.rules ?? null;
    },

    /** Changes the given fields. False if another account has the address. */
    update(userId: number, { fullName, email, rules, github }: AccountChanges): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        if (email !== undefined) {
          const other = await trx.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
          if (other !== undefined && other.id !== userId) return false;
        }
        const changes = {
          ...(fullName === undefined ? {} : { full_name: fullName }),
          ...(email === undefined ? {} : { email }),
          ...(rules === undefined ? {} : { rules }),
          ...(github === undefined
            ? {}
            : { github_username: github?.username ?? null, github_user_id: github?.id ?? null }),
        };
        if (Object.keys(changes).length > 0) {
          await trx.updateTable("users").set(changes).where("id", "=", userId).execute();
        }
        return true;
      });
    },

    /**
     * Sets a password if it is still `before`, and ends every session of the person except the one with that hash, and their
     * open reset and sign-in links. False if the password has changed.
     */
    changePassword(
      userId: number,
      { before, password, keeps }: { before: string | null; password: string; keeps: Uint8Array },
    ): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable("users")
          .set({ password })
          .where("id", "=", userId)
          .where("password", before === null ? "is" : "=", before)
          .returning("id")
          .executeTakeFirst();
        if (changed === undefined) return false;
        await trx.deleteFrom("sessions").where("user_id", "=", userId).where("hash", "<>", keeps).execute();
        await dropResets(trx, userId);
        await dropSignInLinks(trx, userId);
        return true;
      });
    },

    /**
     * Stores the hash of a reset link, and ends the person's earlier ones. In every organization of the person, the caller must be an
     * admin and have at least the person's role; `roleMax` is the limit of the caller's token, which is valid in one organization
     * only. Only an owner of the installation may reset the password of another owner.
     */
    createReset(
      access: Access & { userId: number },
      by: { roleMax: Role; organizationId: number | null },
      { userId, hash, expiresAt }: { userId: number; hash: Uint8Array; expiresAt: string },
    ): Promise<ResetRow | { refused: ResetRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const refused = await findRefusal(trx, access, by, userId);
        if (refused !== null) return { refused };
        await dropResets(trx, userId);
        await trx
          .insertInto("password_resets")
          .values({
            organization_id: access.organizationId,
            user_id: userId,
            created_by: access.userId,
            hash,
            created_at: now(),
            expires_at: millisecondsOf(expiresAt),
          })
          .execute();
        const row = await trx
          .selectFrom("users")
          .select(["full_name", "email"])
          .where("id", "=", userId)
          .executeTakeFirstOrThrow();
        return { userId, fullName: row.full_name, email: row.email, expiresAt };
      });
    },

    /** An open reset link whose creator could still create it, or null. */
    async findReset(hash: Uint8Array): Promise<ResetRow | null> {
      const row = await openReset(reader, hash);
      if (row === undefined) return null;
      return {
        userId: row.user_id,
        fullName: row.full_name,
        email: row.email,
        expiresAt: instantOf(row.expires_at),
      };
    },

    /**
     * Uses the link up: sets the password and ends all sessions and open sign-in links of the person. Returns their id, or null if the link is not open
     * or its creator could not create it any more. Atomic.
     */
    consumeReset(hash: Uint8Array, password: string): Promise<number | null> {
      return writer.transaction().execute(async (trx) => {
        const row = await openReset(trx, hash);
        if (row === undefined) return null;
        await trx.updateTable("password_resets").set({ used_at: now() }).where("id", "=", row.id).execute();
        await trx.updateTable("users").set({ password }).where("id", "=", row.user_id).execute();
        await trx.deleteFrom("sessions").where("user_id", "=", row.user_id).execute();
        await dropSignInLinks(trx, row.user_id);
        return row.user_id;
      });
    },
  };
}

async function dropResets(trx: Kysely<Schema>, userId: number): Promise<void> {
  await trx.deleteFrom("password_resets").where("user_id", "=", userId).where("used_at", "is", null).execute();
}

async function dropSignInLinks(trx: Kysely<Schema>, userId: number): Promise<void> {
  await trx.deleteFrom("sign_in_links").where("user_id", "=", userId).where("used_at", "is", null).execute();
}

async function findRefusal(
  trx: Kysely<Schema>,
  { organizationId, userId }: Access & { userId: number },
  by: { roleMax: Role; organizationId: number | null },
  ofUserId: number,
): Promise<ResetRefusal | null> {
  const rows = await trx
    .selectFrom("memberships")
    .select(["organization_id", "user_id", "role"])
    .where("user_id", "in", [userId, ofUserId])
    .execute();
  const theirs = rows.filter((row) => row.user_id === ofUserId);
  if (!theirs.some((row) => row.organization_id === organizationId)) return "absent";
  const mayReset = (membership: { organization_id: number; role: Role }) => {
    const own = rows.find((row) => row.user_id === userId && row.organization_id === membership.organization_id);
    const reaches = by.organizationId === null || by.organizationId === membership.organization_id;
    if (own === undefined || !reaches) return false;
    const role = weakerRole(own.role, by.roleMax);
    return isAtLeast(role, "admin") && isAtLeast(role, membership.role);
  };
  const inVain = theirs.filter((membership) => !mayReset(membership));
  if (inVain.some((membership) => membership.organization_id === organizationId)) return "above";
  if (inVain.length > 0) return "elsewhere";
  const owners = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "in", [userId, ofUserId])
    .where("is_instance_owner", "=", 1)
    .execute();
  const ownsInstallation = (id: number) => owners.some((row) => row.id === id);
  return ownsInstallation(ofUserId) && !ownsInstallation(userId) ? "installation" : null;
}
