import { ApiError, notFound } from "#lib/contract/error.ts";
import type { Organization } from "#lib/contract/people/organization.ts";
import type { CurrentSession } from "#lib/contract/people/own-organizations.ts";
import { recordAct } from "./audit.ts";
import { findCurrentOrganization, getMe, presentOrganization } from "./organizations.ts";
import type { CallerContext } from "./service-context.ts";

/** The signed-in person, and the organization their dashboard shows. */
export async function getSession(context: CallerContext): Promise<CurrentSession> {
  const { store, caller } = context;
  const organizationId = await findCurrentOrganization(context);
  const organization = organizationId === null ? null : await store.organizations.findOrganization(organizationId);
  return {
    user: await getMe(context),
    organization: organization === null ? null : presentOrganization(organization),
    is_instance_owner: await store.ownOrganizations.isInstanceOwner(caller.userId),
  };
}

/** Switches to another organization; the same 403 for one that does not exist and one the caller is not in. */
export async function chooseOrganization(
  context: CallerContext,
  { body }: { body: { organization_id: number } },
): Promise<CurrentSession> {
  const { store, caller, secrets, sessionSecret } = context;
  const isChosen =
    caller.kind === "session" && sessionSecret !== null
      ? await store.ownOrganizations.choose(secrets.hashSecret(sessionSecret), body.organization_id)
      : caller.organizationId === body.organization_id;
  if (!isChosen) throw new ApiError("forbidden", "You do not have access to this organization.");
  return await getSession(context);
}

/** Creates an organization owned by the caller. 403 for anyone but the owner of the installation. */
export async function createOrganization(
  context: CallerContext,
  { body }: { body: { name: string } },
): Promise<Organization> {
  const { caller } = context;
  const isOwner = await context.store.ownOrganizations.isInstanceOwner(caller.userId);
  if (!isOwner) throw new ApiError("forbidden", "Only the owner of this installation can create organizations.");
  const mayAdminister = caller.scopes === null || caller.scopes.includes("org:admin");
  if (!mayAdminister || caller.roleMax !== "owner") {
    throw new ApiError(
      "forbidden",
      "Only a token with the role owner and the scope org:admin can create organizations.",
    );
  }
  return await context.store.transaction(async (store) => {
    const id = await store.ownOrganizations.create({ name: body.name.trim(), ownerId: caller.userId });
    const made = await store.organizations.findOrganization(id);
    if (made === null) throw new Error(`Organization ${id} was made and is not there`);
    const object = { type: "organization", id, name: made.name };
    const of = { origin: context.origin, caller, access: { organizationId: id } };
    await recordAct(store, of, { act: "organization.created", object });
    return presentOrganization(made);
  });
}

/** Organization of a run, if it is one of the caller's. */
export async function findRunOrganization(
  { store, caller }: CallerContext,
  { params }: { params: { agent_run_id: number } },
): Promise<Organization> {
  const id = await store.ownOrganizations.findOfRun(caller.userId, params.agent_run_id);
  const isReached = id !== null && (caller.organizationId === null || caller.organizationId === id);
  const found = isReached ? await store.organizations.findOrganization(id) : null;
  if (found === null) throw notFound("Agent run");
  return presentOrganization(found);
}
