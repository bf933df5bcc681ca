import type { ExpressionBuilder } from "kysely";
import type { Role } from "#lib/contract/people/organization.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOrNull, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import { settingsRow } from "./organization-settings.ts";

export type OrganizationRow = ReturnType<typeof organizationRow>;

/** `lastSeenAt` is of their sessions and of their tokens for the organization, to the minute. */
export type UserRow = ReturnType<typeof userRow>;

const roles = statement<{ organization: number; user: number }, { role: Role }>(
  "select role from memberships where organization_id = :organization and user_id = :user",
);

/** Organizations, people and memberships. */
export function organizationStore({ writer, reader, readAll }: Dialect, now: Now) {
  const firstOwner = (database: typeof reader) =>
    database
      .selectFrom("memberships")
      .select(["organization_id", "user_id"])
      .where("role", "=", "owner")
      .orderBy("organization_id")
      .orderBy("user_id")
      .limit(1)
      .executeTakeFirst();

  const members = (organizationId: number) =>
    reader
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "memberships.user_id")
      .where("memberships.organization_id", "=", organizationId);

  /** Number of sign-in providers that know the person. */
  const identities = ({ selectFrom }: ExpressionBuilder<Schema, "users">) =>
    selectFrom("identities")
      .whereRef("identities.user_id", "=", "users.id")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .as("identities");

  /** When the person's tokens were last used: those of an organization, or all. */
  const tokenUsedAt =
    (organizationId: number | null) =>
    ({ selectFrom }: ExpressionBuilder<Schema, "users">) =>
      selectFrom("tokens")
        .whereRef("tokens.user_id", "=", "users.id")
        .$if(organizationId !== null, (query) => query.where("tokens.organization_id", "=", organizationId))
        .select(({ fn }) => fn.max("tokens.last_used_at").as("used_at"))
        .as("token_used_at");

  const people = (organizationId: number) =>
    members(organizationId)
      .select(["users.id", "users.email", "users.full_name", "users.password", "users.last_seen_at"])
      .select(["users.github_username", "users.github_user_id"])
      .select("memberships.role")
      .select(tokenUsedAt(organizationId))
      .select(identities);

  return {
    /** The first organization with its owner; created once, on the first start. Later calls return the existing one. */
    async ensureFirst({
      organization,
      fullName,
      email,
    }: {
      organization: string;
      fullName: string;
      email: string | null;
    }): Promise<{
      organizationId: number;
      userId: number;
      created: boolean;
    }> {
      const before = await firstOwner(reader);
      if (before !== undefined) return foundFirst(before);
      return writer.transaction().execute(async (trx) => {
        const meanwhile = await firstOwner(trx);
        if (meanwhile !== undefined) return foundFirst(meanwhile);
        const created_at = now();
        const { id: organizationId } = await trx
          .insertInto("organizations")
          .values({ name: organization, created_at })
          .returning("id")
          .executeTakeFirstOrThrow();
        const { id: userId } = await trx
          .insertInto("users")
          .values({ email, full_name: fullName, created_at, is_instance_owner: 1 })
          .returning("id")
          .executeTakeFirstOrThrow();
        const role: Role = "owner";
        await trx
          .insertInto("memberships")
          .values({ organization_id: organizationId, user_id: userId, role, created_at })
          .execute();
        return { organizationId, userId, created: true };
      });
    },

    /** Organizations in which the user is a member, by id. */
    async listOfUser(userId: number, { skip, limit }: Window): Promise<Listed<OrganizationRow>> {
      const memberships = reader.selectFrom("memberships").where("user_id", "=", userId);
      const rows = await memberships
        .innerJoin("organizations", "organizations.id", "memberships.organization_id")
        .select(["organizations.id", "organizations.name", "organizations.settings"])
        .orderBy("organizations.id")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await memberships
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(organizationRow), total };
    },

    async findOrganization(organizationId: number): Promise<OrganizationRow | null> {
      const row = await reader
        .selectFrom("organizations")
        .select(["id", "name", "settings"])
        .where("id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : organizationRow(row);
    },

    /** The user's role in the organization, or null if they are not a member. */
    async findRole(organizationId: number, userId: number): Promise<Role | null> {
      const [row] = await readAll(roles, { organization: organizationId, user: userId });
      return row?.role ?? null;
    },

    /** A person, regardless of organization; `role` is null. */
    async findPerson(userId: number): Promise<UserRow | null> {
      const row = await reader
        .selectFrom("users")
        .select(["id", "email", "full_name", "password", "last_seen_at", "github_username", "github_user_id"])
        .select(identities)
        .select(tokenUsedAt(null))
        .where("id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? null : userRow({ ...row, role: null });
    },

    async listUsers({ organizationId }: Access, { skip, limit }: Window): Promise<Listed<UserRow>> {
      const rows = await people(organizationId).orderBy("users.id").limit(limit).offset(skip).execute();
      const { total } = await members(organizationId)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(userRow), total };
    },

    async findUser({ organizationId }: Access, userId: number): Promise<UserRow | null> {
      const row = await people(organizationId).where("users.id", "=", userId).executeTakeFirst();
      return row === undefined ? null : userRow(row);
    },
  };
}

function organizationRow(row: { id: number; name: string; settings: string }) {
  return { id: row.id, name: row.name, settings: settingsRow(row) };
}

const foundFirst = (owner: { organization_id: number; user_id: number }) => ({
  organizationId: owner.organization_id,
  userId: owner.user_id,
  created: false,
});

type SelectedUser = {
  id: number;
  email: string | null;
  full_name: string | null;
  github_username: string | null;
  github_user_id: string | null;
  role: Role | null;
  password: string | null;
  last_seen_at: number | null;
  token_used_at: number | null;
  identities: number | null;
};

function userRow({ id, email, full_name, role, password, ...row }: SelectedUser) {
  const { last_seen_at, token_used_at, identities } = row;
  const seen = [last_seen_at, token_used_at].filter((at) => at !== null);
  return {
    id,
    email,
    fullName: full_name,
    githubUsername: row.github_username,
    /** Digits; null if GitHub was not asked. */
    githubUserId: row.github_user_id,
    role,
    hasPassword: password !== null,
    /** Whether a sign-in provider knows them. */
    hasIdentity: (identities ?? 0) > 0,
    lastSeenAt: instantOrNull(seen.length === 0 ? null : Math.max(...seen)),
  };
}
