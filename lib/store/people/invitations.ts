import { type Kysely, type Selectable, sql } from "kysely";
import type { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast, weakerRole } from "#lib/contract/people/role-scopes.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Listed, Window } from "#lib/store/window.ts";

/** A link that lets one person into an organization. */
export type InvitationRow = ReturnType<typeof invitationRow>;

/** Why an invitation does not work (any more). If its creator may no longer invite to its role, it counts as withdrawn. */
export type InvitationEnd = "unknown" | "accepted" | "withdrawn" | "expired";

/** A new person, or one with an account. Addresses are in lower case; the password is its hash. */
export type Joining = { userId: number } | { fullName: string; email: string; password: string };

/** Invitations; only a hash of each code is stored. */
export function invitationStore({ writer, reader }: Dialect, now: Now) {
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
    /** Null if the inviter may not invite to that role: `roleMax` is the limit of their token. */
    create(
      access: Access & { userId: number },
      roleMax: Role,
      {
        role,
        note,
        hint,
        expiresAt,
        hash,
      }: Pick<InvitationRow, "role" | "note" | "hint" | "expiresAt"> & { hash: Uint8Array },
    ): Promise<InvitationRow | null> {
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

    /** Open ones, newest first. */
    async list({ organizationId }: Access, { skip, limit }: Window): Promise<Listed<InvitationRow>> {
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

    /** Withdraws it at once; null if it is not open (any more). */
    withdraw({ organizationId }: Access, invitationId: number): Promise<InvitationRow | null> {
      return writer.transaction().execute(async (trx) => {
        const row = await open(trx, organizationId).where("invitations.id", "=", invitationId).executeTakeFirst();
        if (row === undefined) return null;
        await trx.updateTable("invitations").set({ withdrawn_at: now() }).where("id", "=", invitationId).execute();
        return invitationRow(row);
      });
    },

    /** By SHA-256 of the code. */
    async findByHash(
      hash: Uint8Array,
    ): Promise<{ invitation: InvitationRow; organization: string } | { ended: InvitationEnd }> {
      const found = await look(reader, hash);
      return "ended" in found
        ? { ended: found.ended }
        : { invitation: invitationRow(found.row), organization: found.row.organization };
    },

    /**
     * Uses it up for one person, who becomes a member; groups of a sign-in provider do not change that role. `taken`: another
     * account has the new person's address. `member`: the person already belongs to the organization; the invitation stays open.
     */
    accept(
      hash: Uint8Array,
      joining: Joining,
    ): Promise<
      | { userId: number; invitation: InvitationRow }
      | { ended: InvitationEnd }
      | { refused: "taken" }
      | { refused: "member"; organization: string }
    > {
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
        // From now on the membership is one granted by hand.
        await trx
          .deleteFrom("group_memberships")
          .where("organization_id", "=", row.organization_id)
          .where("user_id", "=", userId)
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

/** Inviting requires `org:admin`, and nobody can invite to a higher role than their own. */
function mayInvite(own: Role, role: Role): boolean {
  return isAtLeast(own, "admin") && isAtLeast(own, role);
}

/** {@link mayInvite} of an invitation's creator, with their current role. */
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

/** Id of the new person, or null if an account has the address. */
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

function invitationRow(row: Selected) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    role: row.role,
    note: row.note,
    /** Last characters of the code. */
    hint: row.hint,
    createdAt: instantOf(row.created_at),
    expiresAt: instantOf(row.expires_at),
    /** Id of the person who created it. */
    userId: row.user_id,
    userName: row.user_name,
  };
}
