import type { Kysely, Transaction } from "kysely";
import type { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast, weakerRole } from "#lib/contract/people/role-scopes.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { EntryAppender } from "#lib/store/entries/append-entries.ts";
import type { Now } from "#lib/store/instant.ts";
import { resumeStage } from "#lib/store/pulls/pull-stage.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { cancelIdle } from "#lib/store/runs/cancel-idle.ts";
import type { Schema } from "#lib/store/schema.ts";
import { hasWaitingTurn, holdTurn, queuedStates } from "#lib/store/turns/turns.ts";

/**
 * Why a membership cannot be changed: the person is not a member; they are above the caller; the role is above the caller's; or
 * there is no other owner.
 */
export type MemberRefusal = "absent" | "above" | "beyond" | "last_owner";

/** Consequences of an ended membership: withdrawn share links, waiting messages put on hold, cancelled queued runs. */
export type EndedWork = { shares: number; heldMessages: number; cancelledRuns: number };

/** The caller; `roleMax` is the limit of their token. */
type Asking = Access & { userId: number };

/** Members of organizations and their roles. */
export function memberStore({ writer }: Dialect, appender: EntryAppender, now: Now) {
  return {
    /** Changes the role; returns the previous one. The caller's rights are checked in the same transaction. */
    setRole(
      access: Asking,
      roleMax: Role,
      userId: number,
      role: Role,
    ): Promise<{ before: Role } | { refused: MemberRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const allowed = await mayChange(trx, access, roleMax, userId);
        if ("refused" in allowed) return allowed;
        if (!isAtLeast(allowed.own, role)) return { refused: "beyond" };
        if (allowed.before === "owner" && role !== "owner" && (await isLastOwner(trx, access.organizationId))) {
          return { refused: "last_owner" };
        }
        await trx
          .updateTable("memberships")
          .set({ role })
          .where("organization_id", "=", access.organizationId)
          .where("user_id", "=", userId)
          .execute();
        return { before: allowed.before };
      });
    },

    /**
     * Ends the membership, and with it the person's tokens for the organization, invitations, share links and reset links they
     * created there, reset links created for them there, and their sessions if they belong to no other organization. Their
     * messages that have not started are held until somebody else sends them; a queued run with no other message is cancelled.
     * Groups of a sign-in provider do not restore the membership, whoever granted it.
     */
    remove(
      access: Asking,
      roleMax: Role,
      userId: number,
    ): Promise<{ before: Role; ended: EndedWork } | { refused: MemberRefusal }> {
      return writer.transaction().execute(async (trx) => {
        const allowed = await mayChange(trx, access, roleMax, userId);
        if ("refused" in allowed) return allowed;
        if (allowed.before === "owner" && (await isLastOwner(trx, access.organizationId))) {
          return { refused: "last_owner" };
        }
        const ended = await endMembership(trx, appender, access.organizationId, userId, now());
        await keepOutGroups(trx, access.organizationId, userId);
        return { before: allowed.before, ended };
      });
    },
  };
}

/** From now on, no group of a sign-in provider restores the ended membership. */
async function keepOutGroups(trx: Kysely<Schema>, organizationId: number, userId: number): Promise<void> {
  await trx
    .insertInto("group_memberships")
    .values({ organization_id: organizationId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function mayChange(
  trx: Kysely<Schema>,
  { organizationId, userId }: Asking,
  roleMax: Role,
  ofUserId: number,
): Promise<{ before: Role; own: Role } | { refused: MemberRefusal }> {
  const rows = await trx
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "in", [userId, ofUserId])
    .execute();
  const before = rows.find((row) => row.user_id === ofUserId)?.role;
  const own = rows.find((row) => row.user_id === userId)?.role;
  if (before === undefined) return { refused: "absent" };
  const asking = own === undefined ? "viewer" : weakerRole(own, roleMax);
  if (!isAtLeast(asking, before)) return { refused: "above" };
  return { before, own: asking };
}

/** Whether the organization has no other owner; within the open transaction. */
export async function isLastOwner(trx: Kysely<Schema>, organizationId: number): Promise<boolean> {
  const owners = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "owner")
    .limit(2)
    .execute();
  return owners.length < 2;
}

/** Ends a membership with everything that depends on it, within the open transaction. */
export async function endMembership(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  organizationId: number,
  userId: number,
  nowMs: number,
): Promise<EndedWork> {
  await trx
    .deleteFrom("memberships")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  await trx
    .updateTable("tokens")
    .set({ revoked_at: nowMs })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
  await trx
    .updateTable("invitations")
    .set({ withdrawn_at: nowMs })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .execute();
  await trx
    .deleteFrom("password_resets")
    .where("organization_id", "=", organizationId)
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("created_by", "=", userId)]))
    .where("used_at", "is", null)
    .execute();
  const { numUpdatedRows: shares } = await trx
    .updateTable("shares")
    .set({ revoked_at: nowMs })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  const ended = { shares: Number(shares), ...(await holdMessages(trx, appender, organizationId, userId, nowMs)) };
  const elsewhere = await trx
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  if (elsewhere !== undefined) return ended;
  await trx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await trx.deleteFrom("sign_in_links").where("user_id", "=", userId).where("used_at", "is", null).execute();
  return ended;
}

/**
 * Holds the person's waiting messages. A queued run with no other message is cancelled, because it would have nothing to start
 * with; the work on a pull request that waited for one goes on without it.
 */
async function holdMessages(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  organizationId: number,
  userId: number,
  nowMs: number,
): Promise<Omit<EndedWork, "shares">> {
  const queued = await trx
    .selectFrom("turns")
    .innerJoin("runs", "runs.id", "turns.run_id")
    .select(["turns.run_id", "turns.number", "turns.state", "runs.status"])
    .where("turns.state", "in", queuedStates)
    .where("turns.steering", "!=", 2)
    .where("turns.user_id", "=", userId)
    .where("runs.organization_id", "=", organizationId)
    .execute();
  const waiting = queued.filter(({ state }) => state === "waiting");
  for (const { run_id, number } of waiting) await holdTurn(trx, run_id, number);
  for (const runId of new Set(waiting.filter(({ status }) => status === "evaluating").map(({ run_id }) => run_id))) {
    if (!(await hasWaitingTurn(trx, runId))) await resumeStage(trx, runId, nowMs);
  }
  let cancelledRuns = 0;
  for (const runId of new Set(waiting.filter(({ status }) => status === "queued").map(({ run_id }) => run_id))) {
    if (await hasWaitingTurn(trx, runId)) continue;
    await cancelIdle(trx, appender, runId, "Cancelled before it started: the person was removed.", nowMs);
    cancelledRuns += 1;
  }
  return { heldMessages: waiting.length, cancelledRuns };
}
