import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { AuditAct, AuditActor } from "#lib/contract/people/audit.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Listed, Window } from "#lib/store/window.ts";

/** One recorded action. */
export type NewAuditRow = {
  organizationId: number;
  act: AuditAct;
  actor: AuditActor;
  userId: number | null;
  tokenId: number | null;
  objectType: string | null;
  objectId: number | null;
  objectName: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
};

export type AuditRow = NewAuditRow & {
  id: number;
  createdAt: string;
  userName: string | null;
  tokenName: string | null;
};

/** `since` is inclusive, `until` exclusive. */
export type AuditFilter = {
  acts?: AuditAct[];
  actor?: AuditActor;
  userId?: number;
  tokenId?: number;
  since?: string;
  until?: string;
};

export function auditStore({ writer, reader }: Dialect, now: Now) {
  return {
    async append(row: NewAuditRow): Promise<void> {
      await writer
        .insertInto("audit")
        .values({
          organization_id: row.organizationId,
          created_at: now(),
          act: row.act,
          actor: row.actor,
          user_id: row.userId,
          token_id: row.tokenId,
          object_type: row.objectType,
          object_id: row.objectId,
          object_name: row.objectName,
          address: row.address,
          user_agent: row.userAgent,
          details: JSON.stringify(row.details),
        })
        .execute();
    },

    /** Newest first. */
    async list(access: Access, filter: AuditFilter, { skip, limit }: Window): Promise<Listed<AuditRow>> {
      const rows = await selectAudit(reader, access, filter).limit(limit).offset(skip).execute();
      const { total } = await reader
        .selectFrom("audit")
        .where((eb) => matches(eb, access, filter))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { items: rows.map(auditRow), total };
    },

    /** Newest first, at most `count` with an id below `beforeId` (null: from the newest). */
    async read(access: Access, filter: AuditFilter, beforeId: number | null, count: number): Promise<AuditRow[]> {
      const rows = selectAudit(reader, access, filter).limit(count);
      const page = beforeId === null ? rows : rows.where("audit.id", "<", beforeId);
      return (await page.execute()).map(auditRow);
    },

    /** Number of records of the action and person since the given time. */
    async countSince(organizationId: number, userId: number, act: AuditAct, since: string): Promise<number> {
      const { total } = await writer
        .selectFrom("audit")
        .where("organization_id", "=", organizationId)
        .where("user_id", "=", userId)
        .where("act", "=", act)
        .where("created_at", ">=", millisecondsOf(since))
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}

function matches(eb: ExpressionBuilder<Schema, "audit">, { organizationId }: Access, filter: AuditFilter) {
  const { acts, actor, userId, tokenId, since, until } = filter;
  return eb.and([
    eb("audit.organization_id", "=", organizationId),
    acts === undefined ? sql<boolean>`true` : eb("audit.act", "in", acts),
    actor === undefined ? sql<boolean>`true` : eb("audit.actor", "=", actor),
    userId === undefined ? sql<boolean>`true` : eb("audit.user_id", "=", userId),
    tokenId === undefined ? sql<boolean>`true` : eb("audit.token_id", "=", tokenId),
    since === undefined ? sql<boolean>`true` : eb("audit.created_at", ">=", millisecondsOf(since)),
    until === undefined ? sql<boolean>`true` : eb("audit.created_at", "<", millisecondsOf(until)),
  ]);
}

function selectAudit(database: Kysely<Schema>, access: Access, filter: AuditFilter) {
  return database
    .selectFrom("audit")
    .leftJoin("users", "users.id", "audit.user_id")
    .leftJoin("tokens", "tokens.id", "audit.token_id")
    .selectAll("audit")
    .select(["users.full_name as user_name", "users.email as user_email", "tokens.name as token_name"])
    .where((eb) => matches(eb as unknown as ExpressionBuilder<Schema, "audit">, access, filter))
    .orderBy("audit.id", "desc");
}

type SelectedAudit = Awaited<ReturnType<ReturnType<typeof selectAudit>["execute"]>>[number];

function auditRow(row: SelectedAudit): AuditRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    createdAt: instantOf(row.created_at),
    act: row.act,
    actor: row.actor,
    userId: row.user_id,
    userName: row.user_name ?? row.user_email,
    tokenId: row.token_id,
    tokenName: row.token_name,
    objectType: row.object_type,
    objectId: row.object_id,
    objectName: row.object_name,
    address: row.address,
    userAgent: row.user_agent,
    details: JSON.parse(row.details),
  };
}
