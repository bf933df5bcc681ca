import { type Kysely, type Selectable, sql } from "kysely";
import type { Role } from "#lib/contract/organization.ts";
import { isAtLeast, weakerRole } from "#lib/contract/role-scopes.ts";
import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";
import { instantOf, millisecondsOf, type Now } from "./instant.ts";
import type { Schema } from "./schema.ts";
import type { Listed, Window } from "./store.ts";

/** A link that lets one person into an organization. */
export type InvitationRow = {
  id: number;
  organizationId: number;
  role: Role;
  note: string | null;
  /** The last characters of the code. */
  hint: string;
  createdAt: string;
  expiresAt: string;
  /** Who made it. */
  userId: number;
  userName: string | null;
};

/** Why an invitation does not work (any more). Where its maker may not invite to its role any more, it counts as withdrawn. */
export type InvitationEnd = "unknown" | "accepted" | "withdrawn" | "expired";

/** Somebody new, or somebody who has an account. Addresses are in lower case; the password is its hash. */
export type Joining = { userId: number } | { fullName: string; email: string; password: string };

export type InvitationStore = {
  /** Null where the inviter may not invite to that role: `roleMax` is what their token allows at most. */
  create(
    access: Access & { userId: number },
    roleMax: Role,
    invitation: Pick<InvitationRow, "role" | "note" | "hint" | "expiresAt"> & { hash: Uint8Array },
  ): Promise<InvitationRow | null>;
  /** Those that work, newest first. */
  list(access: Access, window: Window): Promise<Listed<InvitationRow>>;
  /** Withdraws it at once; null where it is not open (any more). */
  withdraw(access: Access, invitationId: number): Promise<InvitationRow | null>;
  /** By SHA-256 of the code. */
  findByHash(hash: Uint8Array): Promise<{ invitation: InvitationRow; organization: string } | { ended: InvitationEnd }>;
  /**
   * Uses it up for one person, who is a member then. `taken`: the address of the new person has an account. `member`: the person
   * belongs to the organization already; the invitation stays open then.
   */
  accept(
    hash: Uint8Array,
    joining: Joining,
  ): Promise<
    | { userId: number; invitation: InvitationRow }
    | { ended: InvitationEnd }
    | { refused: "taken" }
    | { refused: "member"; organization: string }
  >;
};

/** Invitations: only the hash of each is kept. */
export function invitationStore({ writer, reader }: Dialect, now: Now): InvitationStore {
  const open = (database: Kysely<Schema>, organizationId: number) =>
    selectInvitations(database)
      .where("invitations.organization_id", "=", organizationId)
      .where("invitations.accepted_at", "is", null)
      .where("invitations.withdrawn_at", "is", null)
      .where("invitations.expires_at", ">", now())
      .where(mayStillInvite);

  const look = async (
    database: Kysely<Schema>,
    hash: Uint8Array,
  ): Promise<{ row: Found } | { ended: InvitationEnd }> => {
    const row = await selectInvitations(database).where("invitations.hash", "=", hash).executeTakeFirst();
    if (row === undefined) return { ended: "unknown" };
    const ended = endOf(row, now());
    return ended === null ? { row } : { ended };
  };

  return {
    create(access, roleMax, { role, note, hint, expiresAt, hash }) {
      return writer.transaction().execute(async (trx) => {
        const own = await roleIn(trx, access.organizationId, access.userId);
        if (own === null || !mayInvite(weakerRole(own, roleMax), role)) return null;
        const { id } = await trx
          .insertInto("invitations")
          .values({
            organization_id: access.organizationId,
            role,
            note,
            hint,
            hash,
            user_id: access.userId,
            created_at: now(),
            expires_at: millisecondsOf(expiresAt),
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return invitationRow(await selectInvitations(trx).where("invitations.id", "=", id).executeTakeFirstOrThrow());
      });
    },

    async list({ organizationId }, { skip, limit }) {
      const rows = await open(reader, organizationId)
        .orderBy("invitations.id", "desc")
        .limit(limit)
        .offset(skip)
        .execute();
      const { total } = await reader
        .selectFrom(open(reader, organizationId).as("open"))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(invitationRow), total };
    },

    withdraw({ organizationId }, invitationId) {
      return writer.transaction().execute(async (trx) => {
        const row = await open(trx, organizationId).where("invitations.id", "=", invitationId).executeTakeFirst();
        if (row === undefined) return null;
        await trx.updateTable("invitations").set({ withdrawn_at: now() }).where("id", "=", invitationId).execute();
        return invitationRow(row);
      });
    },

    async findByHash(hash) {
      const found = await look(reader, hash);
      return "ended" in found
        ? { ended: found.ended }
        : { invitation: invitationRow(found.row), organization: found.row.organization };
    },

    accept(hash, joining) {
      return writer.transaction().execute(async (trx) => {
        const found = await look(trx, hash);
        if ("ended" in found) return { ended: found.ended };
        const { row } = found;
        const userId = "userId" in joining ? joining.userId : await addPerson(trx, joining, now());
        if (userId === null) return { refused: "taken" };
        if ((await roleIn(trx, row.organization_id, userId)) !== null) {
          return { refused: "member", organization: row.organization };
        }
        await trx
          .insertInto("memberships")
          .values({ organization_id: row.organization_id, user_id: userId, role: row.role, created_at: now() })
          .execute();
        await trx
          .updateTable("invitations")
          .set({ accepted_at: now(), accepted_by: userId })
          .where("id", "=", row.id)
          .execute();
        return { userId, invitation: invitationRow(row) };
      });
    },
  };
}

/** Whoever invites needs `org:admin`, and nobody invites to more than they have. */
function mayInvite(own: Role, role: Role): boolean {
  return isAtLeast(own, "admin") && isAtLeast(own, role);
}

/** {@link mayInvite} of the maker of an invitation, as they are now. */
const mayStillInvite = sql<boolean>`(maker.role = 'owner' or (maker.role = 'admin' and invitations.role <> 'owner'))`;

function selectInvitations(database: Kysely<Schema>) {
  return database
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .innerJoin("users", "users.id", "invitations.user_id")
    .leftJoin("memberships as maker", (join) =>
      join
        .onRef("maker.organization_id", "=", "invitations.organization_id")
        .onRef("maker.user_id", "=", "invitations.user_id"),
    )
    .selectAll("invitations")
    .select(["users.full_name as user_name", "organizations.name as organization", "maker.role as maker_role"]);
}

type Selected = Selectable<Schema["invitations"]> & { user_name: string | null; maker_role: Role | null };
type Found = Selected & { organization: string };

function endOf(row: Selected, nowMs: number): InvitationEnd | null {
  if (row.accepted_at !== null) return "accepted";
  if (row.withdrawn_at !== null) return "withdrawn";
  if (row.expires_at <= nowMs) return "expired";
  return row.maker_role !== null && mayInvite(row.maker_role, row.role) ? null : "withdrawn";
}

async function roleIn(database: Kysely<Schema>, organizationId: number, userId: number): Promise<Role | null> {
  const row = await database
    .selectFrom("memberships")
    .select("role")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** The id of the new person, or null where the address has an account. */
async function addPerson(
  database: Kysely<Schema>,
  { fullName, email, password }: Exclude<Joining, { userId: number }>,
  nowMs: number,
): Promise<number | null> {
  const row = await database
    .insertInto("users")
    .values({ email, full_name: fullName, password, created_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

function invitationRow(row: Selected): InvitationRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    role: row.role,
    note: row.note,
    hint: row.hint,
    createdAt: instantOf(row.created_at),
    expiresAt: instantOf(row.expires_at),
    userId: row.user_id,
    userName: row.user_name,
  };
}
