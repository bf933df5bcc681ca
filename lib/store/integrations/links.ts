import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";

/** Maps a person in a connected service to a member of the organization. */
export type LinkRow = {
  externalId: string;
  userId: number;
  userName: string | null;
  createdAt: string;
};

/** Links between people in connected services and members. */
export function linkStore({ writer, reader }: Dialect, now: Now) {
  const selectLinks = (database: typeof reader) =>
    database
      .selectFrom("member_links")
      .innerJoin("users", "users.id", "member_links.user_id")
      // A person who has left the organization is not linked there either.
      .innerJoin("memberships", (join) =>
        join
          .onRef("memberships.user_id", "=", "member_links.user_id")
          .onRef("memberships.organization_id", "=", "member_links.organization_id"),
      )
      .select([
        "member_links.external_id",
        "member_links.user_id",
        "users.full_name as user_full_name",
        "member_links.created_at",
      ]);
  type Selected = Awaited<ReturnType<ReturnType<typeof selectLinks>["execute"]>>[number];
  const linkRow = (row: Selected): LinkRow => ({
    externalId: row.external_id,
    userId: row.user_id,
    userName: row.user_full_name,
    createdAt: instantOf(row.created_at),
  });
  const put = async (
    database: typeof writer,
    organizationId: number,
    integrationId: number,
    externalId: string,
    userId: number,
  ) => {
    await database
      .insertInto("member_links")
      .columns(["organization_id", "integration_id", "external_id", "user_id", "created_at"])
      .expression((eb) =>
        eb
          .selectFrom("integrations")
          .innerJoin("memberships", "memberships.organization_id", "integrations.organization_id")
          .select([
            "integrations.organization_id",
            "integrations.id",
            eb.val(externalId).as("external_id"),
            "memberships.user_id",
            eb.val(now()).as("created_at"),
          ])
          .where("integrations.id", "=", integrationId)
          .where("integrations.organization_id", "=", organizationId)
          .where("memberships.user_id", "=", userId),
      )
      .onConflict((conflict) =>
        conflict.columns(["integration_id", "external_id"]).doUpdateSet({ user_id: userId, created_at: now() }),
      )
      .execute();
    const row = await selectLinks(database)
      .where("member_links.integration_id", "=", integrationId)
      .where("member_links.external_id", "=", externalId)
      .where("member_links.user_id", "=", userId)
      .executeTakeFirst();
    return row === undefined ? null : linkRow(row);
  };

  return {
    /** By name of the person, then id; at most 1,000. */
    async list({ organizationId }: Access, integrationId: number): Promise<LinkRow[]> {
      const rows = await selectLinks(reader)
        .where("member_links.integration_id", "=", integrationId)
        .where("member_links.organization_id", "=", organizationId)
        .orderBy("users.full_name")
        .orderBy("member_links.external_id")
        .limit(1000)
        .execute();
      return rows.map(linkRow);
    },

    /** The member with this external id; null if there is none (any more). */
    async findUser(integrationId: number, externalId: string): Promise<number | null> {
      const row = await selectLinks(reader)
        .where("member_links.integration_id", "=", integrationId)
        .where("member_links.external_id", "=", externalId)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /**
     * Links the id to a member, replacing any earlier link. Null if the person is not a member or the integration does not exist.
     */
    put(
      { organizationId }: Access,
      integrationId: number,
      externalId: string,
      userId: number,
    ): Promise<LinkRow | null> {
      return writer.transaction().execute((trx) => put(trx, organizationId, integrationId, externalId, userId));
    },

    /** False if there is none. */
    async remove({ organizationId }: Access, integrationId: number, externalId: string): Promise<boolean> {
      const { numDeletedRows } = await writer
        .deleteFrom("member_links")
        .where("integration_id", "=", integrationId)
        .where("organization_id", "=", organizationId)
        .where("external_id", "=", externalId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Stores a code that links whoever sends it to this member, once. The person's earlier codes for it expire. */
    async createCode(
      { organizationId, userId }: Access & { userId: number },
      integrationId: number,
      { hash, expiresAt }: { hash: Uint8Array; expiresAt: string },
    ): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await trx
          .deleteFrom("link_codes")
          .where((eb) =>
            eb.or([
              eb("expires_at", "<=", now()),
              eb.and([eb("integration_id", "=", integrationId), eb("user_id", "=", userId)]),
            ]),
          )
          .execute();
        await trx
          .insertInto("link_codes")
          .values({
            hash,
            organization_id: organizationId,
            integration_id: integrationId,
            user_id: userId,
            expires_at: millisecondsOf(expiresAt),
          })
          .execute();
      });
    },

    /** Uses a code up: links its sender to its member, and returns the member. Null for a code that is not valid (any more). */
    redeemCode(integrationId: number, hash: Uint8Array, externalId: string): Promise<LinkRow | null> {
      return writer.transaction().execute(async (trx) => {
        const code = await trx
          .deleteFrom("link_codes")
          .where("hash", "=", hash)
          .where("integration_id", "=", integrationId)
          .where("expires_at", ">", now())
          .returningAll()
          .executeTakeFirst();
        if (code === undefined) return null;
        return put(trx, code.organization_id, integrationId, externalId, code.user_id);
      });
    },
  };
}
