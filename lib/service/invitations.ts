import { passwordCharactersMin } from "#lib/contract/bounds.ts";
import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import type {
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  OpenInvitation,
} from "#lib/contract/people/invitation.ts";
import { sameAddress } from "#lib/contract/people/person.ts";
import type { InvitationEnd, InvitationRow, Joining } from "#lib/store/people/invitations.ts";
import { recordAct, recordPersonsAct } from "./audit.ts";
import { presentPersonOfSession } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { OrganizationContext, ServiceContext } from "./service-context.ts";
import { beginSession, noteWrongPassword } from "./sessions.ts";

type OfCode = { params: { code: string } };
const dayMs = 86_400_000;

/** The open invitations, newest first. */
export async function listInvitations(context: OrganizationContext, { query }: { query: Paging }) {
  const rows = rowsOf(query);
  const { items, total } = await context.store.invitations.list(context.access, rows);
  return pageOf(items.map(presentInvitation), total, rows);
}

/** Creates an invitation; only this response contains its code. 403 for a higher role than the caller's. */
export async function createInvitation(
  context: OrganizationContext,
  { body }: { body: CreateInvitation },
): Promise<CreatedInvitation> {
  const { store, access, secrets, member } = context;
  const { code, hash, hint } = secrets.mintPersonCode();
  const note = body.note?.trim() || null;
  const expiresAt = new Date(context.now().getTime() + body.days * dayMs).toISOString();
  const made = await store.transaction(async (inside) => {
    const wanted = { role: body.role, note, hint, hash, expiresAt };
    const invitation = await inside.invitations.create(access, member.role, wanted);
    if (invitation === null) {
      throw new ApiError("forbidden", `Your role is ${member.role}: you cannot invite someone as ${body.role}.`);
    }
    const details = { role: body.role, expires_at: expiresAt };
    await recordAct(inside, context, { act: "invitation.created", object: invitationObject(invitation), details });
    return invitation;
  });
  return { ...presentInvitation(made), code, url: `${context.publicUrl}/invite/${code}` };
}

/** Withdraws an invitation at once. */
export async function deleteInvitation(
  context: OrganizationContext,
  { params }: { params: { invitation_id: number } },
): Promise<Invitation> {
  return await context.store.transaction(async (store) => {
    const withdrawn = await store.invitations.withdraw(context.access, params.invitation_id);
    if (withdrawn === null) throw notFound("Invitation");
    await recordAct(store, context, { act: "invitation.withdrawn", object: invitationObject(withdrawn) });
    return presentInvitation(withdrawn);
  });
}

/** Details of an invitation. A 404 says why it does not work (any more). */
export async function getInvitation(context: ServiceContext, { params }: OfCode): Promise<OpenInvitation> {
  const found = await context.store.invitations.findByHash(context.secrets.hashSecret(params.code));
  if ("ended" in found) throw ended(found.ended, { isFailedAuthentication: true });
  const { invitation, organization } = found;
  return {
    organization_id: invitation.organizationId,
    organization_name: organization,
    role: invitation.role,
    invited_by: invitation.userName,
    expires_at: invitation.expiresAt,
  };
}

/**
 * Makes the holder of the code a member: the signed-in person if no address is given, otherwise the account with the
 * address, otherwise a new person. The last two are then signed in.
 */
export async function acceptInvitation(context: ServiceContext, { params, body }: OfCode & { body: AcceptInvitation }) {
  const { store, secrets } = context;
  const hash = secrets.hashSecret(params.code);
  // Checked before hashing a password, which is only for people with an invitation.
  const found = await store.invitations.findByHash(hash);
  if ("ended" in found) throw ended(found.ended);
  const signedIn = body.email == null ? await signedInUser(context) : null;
  const joining = signedIn === null ? await joiningBy(context, body) : { userId: signedIn };
  const { userId, invitation, secret } = await store.transaction(async (inside) => {
    const accepted = await inside.invitations.accept(hash, joining);
    if ("ended" in accepted) throw ended(accepted.ended);
    if ("refused" in accepted) throw refusal(accepted);
    const person = { userId: accepted.userId, organizationId: accepted.invitation.organizationId };
    const object = invitationObject(accepted.invitation);
    const details = { role: accepted.invitation.role };
    await recordPersonsAct(inside, context, person, { act: "invitation.accepted", object, details });
    const begun =
      signedIn === null ? await beginSession(inside, context, accepted.userId, { how: "invitation" }) : null;
    // Anyone who joins sees what they have joined.
    const session = begun?.secret ?? context.sessionSecret;
    if (session !== null) {
      await inside.ownOrganizations.choose(secrets.hashSecret(session), accepted.invitation.organizationId);
    }
    return { ...accepted, secret: begun?.secret ?? null };
  });
  const value = { user: await presentPersonOfSession(store, userId), organization_id: invitation.organizationId };
  return secret === null ? value : new SessionChange(value, secret);
}

function refusal(given: { refused: "taken" } | { refused: "member"; organization: string }): ApiError {
  return given.refused === "taken"
    ? invalidField(["email"], "already has an account; give its password")
    : new ApiError("conflict", `You already belong to ${given.organization}.`);
}

const invitationObject = ({ id, note }: InvitationRow) => ({ type: "invitation", id, name: note });

async function signedInUser({ store, secrets, sessionSecret }: ServiceContext): Promise<number> {
  const userId = sessionSecret === null ? null : await store.sessions.findUserId(secrets.hashSecret(sessionSecret));
  if (userId === null) throw invalidField(["email"], "is required if nobody is signed in");
  return userId;
}

async function joiningBy(context: ServiceContext, body: AcceptInvitation): Promise<Joining> {
  const { store, passwords } = context;
  const email = sameAddress(body.email ?? "");
  const { password } = body;
  if (password == null) throw invalidField(["password"], "is required");
  const account = await store.accounts.findByEmail(email);
  if (account !== null) {
    if (await passwords.verify(password, account.password)) return { userId: account.userId };
    noteWrongPassword(context, account.userId, "invitation");
    throw invalidField(["password"], "is not the password of the account with this email address");
  }
  if (body.full_name == null) throw invalidField(["full_name"], "is required");
  if (password.length < passwordCharactersMin) {
    throw invalidField(["password"], `must have at least ${passwordCharactersMin} characters`);
  }
  return { fullName: body.full_name.trim(), email, password: await passwords.hash(password) };
}

const endWords: Record<InvitationEnd, string> = {
  unknown: "Invitation not found.",
  accepted: "This invitation has already been accepted.",
  withdrawn: "This invitation has been withdrawn.",
  expired: "This invitation has expired.",
};

function ended(end: InvitationEnd, more: { isFailedAuthentication?: boolean } = {}): ApiError {
  return new ApiError("not_found", endWords[end], more);
}

function presentInvitation(invitation: InvitationRow): Invitation {
  return {
    id: invitation.id,
    role: invitation.role,
    note: invitation.note,
    hint: invitation.hint,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
    user_id: invitation.userId,
    user_name: invitation.userName,
  };
}
