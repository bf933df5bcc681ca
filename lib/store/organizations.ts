import type { Role } from "#lib/contract/organization.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";
import type { OrganizationStore, UserRow } from "./store.ts";

/** Organizations, people and who belongs where. */
export function organizationStore({ writer, reader, readAll }: Dialect, now: Now): OrganizationStore {
  const roles = reader
    .selectFrom("memberships")
    .select("role")
    .where("organization_id", "=", 0)
    .where("user_id", "=", 0)
    .compile();

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

  return {
    async ensureFirst({ organization, fullName, email }) {
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
          .values({ email, full_name: fullName, created_at })
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

    async listOfUser(userId, { skip, limit }) {
      const memberships = reader.selectFrom("memberships").where("user_id", "=", userId);
      const rows = await memberships
        .innerJoin("organizations", "organizations.id", "memberships.organization_id")
        .select(["organizations.id", "organizations.name"])
        .orderBy("organizations.id")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await memberships
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ id, name }) => ({ id, name })), total };
    },

    async findOrganization(organizationId) {
      const row = await reader
        .selectFrom("organizations")
        .select(["id", "name"])
        .where("id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : { id: row.id, name: row.name };
    },

    async findRole(organizationId, userId) {
      const [row] = await readAll(roles, [organizationId, userId]);
      return row?.role ?? null;
    },

    async findPerson(userId) {
      const row = await reader
        .selectFrom("users")
        .select(["id", "email", "full_name"])
        .where("id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? null : userRow({ ...row, role: null });
    },

    async listUsers({ organizationId }, { skip, limit }) {
      const rows = await members(organizationId)
        .select(["users.id", "users.email", "users.full_name", "memberships.role"])
        .orderBy("users.id")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await members(organizationId)
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(userRow), total };
    },

    async findUser({ organizationId }, userId) {
      const row = await members(organizationId)
        .select(["users.id", "users.email", "users.full_name", "memberships.role"])
        .where("users.id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? null : userRow(row);
    },
  };
}

const foundFirst = (owner: { organization_id: number; user_id: number }) => ({
  organizationId: owner.organization_id,
  userId: owner.user_id,
  created: false,
});

function userRow(row: { id: number; email: string | null; full_name: string | null; role: Role | null }): UserRow {
  return { id: row.id, email: row.email, fullName: row.full_name, role: row.role };
}
