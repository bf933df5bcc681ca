import type { Kysely, Transaction } from "kysely";
import type { Role } from "#lib/contract/people/organization.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import { millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { type EndedWork, endMembership, isLastOwner } from "./members.ts";

/** Outcome for a membership that groups decide on. `removed_by_hand`: somebody ended it here, so groups do not restore it. */
export type GroupChange =
  | { kind: "unchanged" }
  | { kind: "added" }
  | { kind: "changed"; before: Role }
  | { kind: "removed"; before: Role; ended: EndedWork }
  | { kind: "removed_by_hand" };

export function identityStore({ writer, reader }: Dialect, appender: EntryAppender, now: Now) {
  return {
    /** The user of the subject at the issuer, or null. */
    async find(issuer: string, subject: string): Promise<number | null> {
      const row = await reader
        .selectFrom("identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /** Whether the user has any subject at the issuer. */
    async hasIssuer(userId: number, issuer: string): Promise<boolean> {
      const row = await reader
        .selectFrom("identities")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("issuer", "=", issuer)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Links an existing account to a subject. Ends every other way to act as the person: password, sessions, tokens, open sign-in
     * and reset links, and accounts of connected services. Whoever had them never proved that the address was theirs.
     */
    async link(userId: number, issuer: string, subject: string): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await addIdentity(trx, { userId, issuer, subject }, now());
        await trx
          .updateTable("users")
          .set({ password: null, github_username: null, github_user_id: null })
          .where("id", "=", userId)
          .execute();
        await trx
          .updateTable("tokens")
          .set({ revoked_at: now() })
          .where("user_id", "=", userId)
          .where("revoked_at", "is", null)
          .execute();
        for (const table of ["sessions", "member_links", "link_codes"] as const) {
          await trx.deleteFrom(table).where("user_id", "=", userId).execute();
        }
        for (const table of ["sign_in_links", "password_resets"] as const) {
          await trx.deleteFrom(table).where("user_id", "=", userId).where("used_at", "is", null).execute();
        }
      });
    },

    /** Creates a person with that subject. `email` is null if it is not verified. */
    create({
      issuer,
      subject,
      email,
      fullName,
    }: {
      issuer: string;
      subject: string;
      email: string | null;
      fullName: string | null;
    }): Promise<number> {
      return writer.transaction().execute(async (trx) => {
        const { id: userId } = await trx
          .insertInto("users")
          .values({ email, full_name: fullName, created_at: now() })
          .returning("id")
          .executeTakeFirstOrThrow();
        await addIdentity(trx, { userId, issuer, subject }, now());
        return userId;
      });
    },

    /**
     * Sets the person's role to the one that groups grant, or ends the membership if they grant none (null). Does not change a
     * membership granted by hand, nor that of the last owner.
     */
    setGroupRole(organizationId: number, userId: number, role: Role | null): Promise<GroupChange> {
      return writer
        .transaction()
        .execute((trx) => setGroupRole(trx, appender, { organizationId, userId }, role, now()));
    },

    /** Ids of the existing organizations, the first one first. */
    async listOrganizationIds(): Promise<number[]> {
      const rows = await reader.selectFrom("organizations").select("id").orderBy("id").execute();
      return rows.map(({ id }) => id);
    },

    /** Records the start of a sign-in; deletes expired ones. */
    async begin({ hash, expiresAt }: { hash: Uint8Array; expiresAt: string }): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("sign_in_attempts").where("expires_at", "<=", now()).execute();
        await trx
          .insertInto("sign_in_attempts")
          .values({ hash, expires_at: millisecondsOf(expiresAt) })
          .execute();
      });
    },

    /** Uses an attempt up; false if it is unknown, used or expired. */
    async use(hash: Uint8Array): Promise<boolean> {
      const used = await writer
        .deleteFrom("sign_in_attempts")
        .where("hash", "=", hash)
        .returning("expires_at")
        .executeTakeFirst();
      return used !== undefined && used.expires_at > now();
    },
  };
}

async function addIdentity(
  trx: Kysely<Schema>,
  { userId, issuer, subject }: { userId: number; issuer: string; subject: string },
  nowMs: number,
): Promise<void> {
  await trx.insertInto("identities").values({ user_id: userId, issuer, subject, created_at: nowMs }).execute();
}

async function setGroupRole(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  { organizationId, userId }: { organizationId: number; userId: number },
  role: Role | null,
  nowMs: number,
): Promise<GroupChange> {
  const key = { organization_id: organizationId, user_id: userId };
  const ofPerson = <T extends "memberships" | "group_memberships">(table: T) =>
    trx
      .selectFrom(table as "memberships")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId);
  const before = (await ofPerson("memberships").select("role").executeTakeFirst())?.role ?? null;
  const isManaged = (await ofPerson("group_memberships").select("user_id").executeTakeFirst()) !== undefined;
  const forget = () =>
    trx
      .deleteFrom("group_memberships")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .execute();
  if (!isManaged) {
    if (role === null || before !== null) return { kind: "unchanged" };
    await trx
      .insertInto("memberships")
      .values({ ...key, role, created_at: nowMs })
      .execute();
    await trx.insertInto("group_memberships").values(key).execute();
    return { kind: "added" };
  }
  if (before === null) {
    if (role !== null) return { kind: "removed_by_hand" };
    await forget();
    return { kind: "unchanged" };
  }
  if (role === before || (before === "owner" && (await isLastOwner(trx, organizationId)))) return { kind: "unchanged" };
  if (role === null) {
    const ended = await endMembership(trx, appender, organizationId, userId, nowMs);
    await forget();
    return { kind: "removed", before, ended };
  }
  await trx
    .updateTable("memberships")
    .set({ role })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  return { kind: "changed", before };
}
