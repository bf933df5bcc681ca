import type { Role } from "#lib/contract/people/organization.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";

export function ownOrganizationStore({ writer, reader }: Dialect, now: Now) {
  return {
    /** Whether the person owns the installation, and so may create organizations. */
    async isInstanceOwner(userId: number): Promise<boolean> {
      const row = await reader
        .selectFrom("users")
        .select("is_instance_owner")
        .where("id", "=", userId)
        .executeTakeFirst();
      return row?.is_instance_owner === 1;
    },

    /** Creates an organization with its owner; returns its id. */
    create({ name, ownerId }: { name: string; ownerId: number }): Promise<number> {
      return writer.transaction().execute(async (trx) => {
        const created_at = now();
        const { id } = await trx
          .insertInto("organizations")
          .values({ name, created_at })
          .returning("id")
          .executeTakeFirstOrThrow();
        const role: Role = "owner";
        await trx
          .insertInto("memberships")
          .values({ organization_id: id, user_id: ownerId, role, created_at })
          .execute();
        return id;
      });
    },

    /**
     * The organization the session shows: the chosen one if its person is (still) a member, otherwise their first. Null for a
     * person without any, and for an unknown session.
     */
    async findChosen(sessionHash: Uint8Array): Promise<number | null> {
      const row = await reader
        .selectFrom("sessions")
        .innerJoin("memberships", "memberships.user_id", "sessions.user_id")
        .select("memberships.organization_id")
        .where("sessions.hash", "=", sessionHash)
        .orderBy(({ eb, ref }) =>
          eb
            .case()
            .when(ref("memberships.organization_id"), "=", ref("sessions.organization_id"))
            .then(0)
            .else(1)
            .end(),
        )
        .orderBy("memberships.organization_id")
        .limit(1)
        .executeTakeFirst();
      return row?.organization_id ?? null;
    },

    /** Chooses one of the person's organizations; false if they are not a member of it. */
    async choose(sessionHash: Uint8Array, organizationId: number): Promise<boolean> {
      const { numUpdatedRows } = await writer
        .updateTable("sessions")
        .set({ organization_id: organizationId })
        .where("hash", "=", sessionHash)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("memberships")
              .select("memberships.user_id")
              .whereRef("memberships.user_id", "=", "sessions.user_id")
              .where("memberships.organization_id", "=", organizationId),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Organization of a run, if the person is a member of it; otherwise null. */
    async findOfRun(userId: number, runId: number): Promise<number | null> {
      const row = await reader
        .selectFrom("runs")
        .innerJoin("memberships", "memberships.organization_id", "runs.organization_id")
        .select("runs.organization_id")
        .where("runs.id", "=", runId)
        .where("memberships.user_id", "=", userId)
        .executeTakeFirst();
      return row?.organization_id ?? null;
    },
  };
}
