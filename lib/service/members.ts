import { resetHours } from "#lib/contract/bounds.ts";
import { ApiError, notFound } from "#lib/contract/error.ts";
import type { OpenReset, PasswordReset, UpdateMember } from "#lib/contract/people/member.ts";
import type { User } from "#lib/contract/people/organization.ts";
import type { ResetRefusal } from "#lib/store/people/accounts.ts";
import type { EndedWork, MemberRefusal } from "#lib/store/people/members.ts";
import type { UserRow } from "#lib/store/store.ts";
import { recordAct, recordPersonsAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { getUser, presentPersonOfSession, presentUser } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { OrganizationContext, ServiceContext } from "./service-context.ts";
import { beginSession } from "./sessions.ts";

type OfMember = { params: { user_id: number } };
type OfCode = { params: { code: string } };

/** Changes a member's role. 403 for somebody above the caller or a role above theirs, 409 for the last owner. */
export async function updateMember(
  context: OrganizationContext,
  { params, body }: OfMember & { body: UpdateMember },
): Promise<User> {
  const { access, member } = context;
  return await context.store.transaction(async (store) => {
    await requireMatch(context, () => getUser({ ...context, store }, { params }));
    const done = await store.members.setRole(access, member.role, params.user_id, body.role);
    if ("refused" in done) throw refusal(done.refused, body.role);
    const user = await store.organizations.findUser(access, params.user_id);
    if (user === null) throw notFound("User");
    const details = { from: done.before, to: body.role };
    await recordAct(store, context, { act: "member.role_changed", object: personObject(user), details });
    return presentUser(user, context.caller.statusStyle);
  });
}

/**
 * Ends a membership, with the person's tokens, share links and, if they belong to no other organization, their sessions;
 * their messages that have not started are held. Returns the member as they were.
 */
export async function removeMember(context: OrganizationContext, { params }: OfMember): Promise<User> {
  const { access, member } = context;
  return await context.store.transaction(async (store) => {
    const user = await store.organizations.findUser(access, params.user_id);
    if (user === null) throw notFound("User");
    await requireMatch(context, () => presentUser(user, context.caller.statusStyle));
    const done = await store.members.remove(access, member.role, params.user_id);
    if ("refused" in done) throw refusal(done.refused, null);
    const details = { role: done.before, ...endedDetails(done.ended) };
    await recordAct(store, context, { act: "member.removed", object: personObject(user), details });
    return presentUser(user, context.caller.statusStyle);
  });
}

/** What ended with a membership, for the audit log. */
export function endedDetails({ shares, heldMessages, cancelledRuns }: EndedWork) {
  return { share_links_withdrawn: shares, messages_held: heldMessages, runs_cancelled: cancelledRuns };
}

const personObject = ({ id, fullName, email }: UserRow) => ({ type: "user", id, name: fullName ?? email });

/** Creates a link for setting a member's new password; only this response contains its code. */
export async function createPasswordReset(context: OrganizationContext, { params }: OfMember): Promise<PasswordReset> {
  const { store, access, member, caller, secrets } = context;
  const { code, hash } = secrets.mintPersonCode();
  const expiresAt = new Date(context.now().getTime() + resetHours * 3_600_000).toISOString();
  const by = { roleMax: member.role, organizationId: caller.organizationId };
  const made = await store.transaction(async (inside) => {
    const reset = await inside.accounts.createReset(access, by, { userId: params.user_id, hash, expiresAt });
    if ("refused" in reset) throw resetRefusal(reset.refused);
    const object = { type: "user", id: reset.userId, name: reset.fullName ?? reset.email };
    await recordAct(inside, context, { act: "password.reset_made", object, details: { expires_at: expiresAt } });
    return reset;
  });
  return { user_id: made.userId, code, url: `${context.publicUrl}/reset/${code}`, expires_at: expiresAt };
}

/** Details of a reset link, with the person whose password it resets. 404 if it is not open (any more). */
export async function getPasswordReset(context: ServiceContext, { params }: OfCode): Promise<OpenReset> {
  const reset = await context.store.accounts.findReset(context.secrets.hashSecret(params.code));
  if (reset === null) throw resetEnded({ isFailedAuthentication: true });
  return { full_name: reset.fullName, email: reset.email, expires_at: reset.expiresAt };
}

/** Sets a new password with a reset link, ends all sessions of the person and starts one here. */
export async function resetPassword(
  context: ServiceContext,
  { params, body }: OfCode & { body: { password: string } },
): Promise<SessionChange> {
  const { store, secrets, passwords } = context;
  const hash = secrets.hashSecret(params.code);
  // Checked before hashing a password, which is only for people with a link.
  if ((await store.accounts.findReset(hash)) === null) throw resetEnded();
  const password = await passwords.hash(body.password);
  const { userId, secret } = await store.transaction(async (inside) => {
    const ofUser = await inside.accounts.consumeReset(hash, password);
    if (ofUser === null) throw resetEnded();
    await recordPersonsAct(inside, context, { userId: ofUser }, { act: "password.reset_used" });
    return await beginSession(inside, context, ofUser, { how: "reset" });
  });
  return new SessionChange({ user: await presentPersonOfSession(store, userId) }, secret);
}

function resetEnded(more: { isFailedAuthentication?: boolean } = {}): ApiError {
  return new ApiError(
    "not_found",
    "This link no longer works: it was used, has expired, was replaced by a newer one, or its creator may no longer reset this password.",
    more,
  );
}

function refusal(refused: MemberRefusal, role: string | null): ApiError {
  switch (refused) {
    case "absent":
      return notFound("User");
    case "above":
      return new ApiError("forbidden", "Their role is above yours: you cannot change it or remove them.");
    case "beyond":
      return new ApiError("forbidden", `You cannot make someone ${role}: that is a higher role than your own.`);
    case "last_owner":
      return new ApiError("conflict", "An organization needs an owner: make someone else an owner first.");
  }
}

function resetRefusal(refused: ResetRefusal): ApiError {
  switch (refused) {
    case "absent":
      return notFound("User");
    case "above":
      return new ApiError("forbidden", "Their role is above yours: you cannot reset their password.");
    case "elsewhere":
      return new ApiError(
        "forbidden",
        "They also belong to another organization, and a new password gives access to both. Only someone who may reset passwords in every one of their organizations can do this.",
      );
    case "installation":
      return new ApiError(
        "forbidden",
        "They own this installation, so only they can set a new password: with `npm run --silent errand -- login` even without the old one.",
      );
  }
}
