import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import type { IntegrationType } from "#lib/contract/integrations/integration.ts";
import { type Link, linkCodeMinutes, type PutLink } from "#lib/contract/integrations/link.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { LinkRow } from "#lib/store/integrations/links.ts";
import type { GithubAccount } from "#lib/store/people/accounts.ts";
import type { Store } from "#lib/store/store.ts";
import { recordAct } from "./audit.ts";
import { findGithubAccount } from "./github-account.ts";
import { typeOf } from "./integrations.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfType = { params: { type: string } };

/** Linked people of the service. 404 if it is not connected. */
export async function listLinks(context: OrganizationContext, { params }: OfType): Promise<{ items: Link[] }> {
  const { id } = await findConnected(context, params.type);
  return { items: (await context.store.links.list(context.access, id)).map(present) };
}

/** Links a person, replacing any earlier link. */
export async function putLink(
  context: OrganizationContext,
  { params, body }: OfType & { body: PutLink },
): Promise<Link> {
  const integration = await findConnected(context, params.type);
  const externalId = idOf(integration.type, body.external_id);
  const github =
    integration.type === "github" ? await findGithubAccount(context, [integration.organizationId], externalId) : null;
  return await context.store.transaction(async (inside) => {
    const link = await inside.links.put(context.access, integration.id, externalId, body.user_id);
    if (link === null) throw invalidField(["user_id"], "is not a member of this organization");
    if (github !== null) await fillGithub(inside, body.user_id, github);
    const details = { linked: externalId, user_id: body.user_id };
    await recordAct(inside, context, { act: "integration.changed", object: objectOf(integration), details });
    return present(link);
  });
}

/** Removes a link. 404 if there is none. */
export async function deleteLink(
  context: OrganizationContext,
  { params }: { params: { type: string; external_id: string } },
): Promise<{ external_id: string }> {
  const integration = await findConnected(context, params.type);
  const externalId = idOf(integration.type, params.external_id);
  await context.store.transaction(async (inside) => {
    if (!(await inside.links.remove(context.access, integration.id, externalId))) throw notFound("Link");
    const details = { unlinked: externalId };
    await recordAct(inside, context, { act: "integration.changed", object: objectOf(integration), details });
  });
  return { external_id: externalId };
}

/** A code for the caller to send to the bot. 409 for services whose people an admin links. */
export async function createLinkCode(context: OrganizationContext, { params }: OfType) {
  const integration = await findConnected(context, params.type);
  const { type, settings } = integration;
  if (type !== "slack" && type !== "linear") {
    throw new ApiError("conflict", `People in ${integrationTitles[type]} are linked by an admin.`);
  }
  const { code, hash } = context.secrets.mintPersonCode();
  const expiresAt = new Date(context.now().getTime() + linkCodeMinutes * 60_000).toISOString();
  await context.store.transaction(async (inside) => {
    const access = { ...context.access, userId: context.caller.userId };
    await inside.links.createCode(access, integration.id, { hash, expiresAt });
    await recordAct(inside, context, { act: "slack_link.created", object: objectOf(integration), details: { type } });
  });
  return { code, say: `@${settings.mention} link ${code}`, expires_at: expiresAt };
}

/** Values that the person has set stay. */
async function fillGithub(store: Store, userId: number, github: GithubAccount): Promise<void> {
  const person = await store.organizations.findPerson(userId);
  if (person?.githubUsername === null) await store.accounts.update(userId, { github });
}

async function findConnected(context: OrganizationContext, type: string): Promise<IntegrationRow> {
  const integration = await context.store.integrations.find(context.access, typeOf(type));
  if (integration === null) throw notFound("Integration");
  return integration;
}

/** User names on code hosts ignore case; ids elsewhere do not. */
function idOf(type: IntegrationType, externalId: string): string {
  return type === "slack" || type === "linear" ? externalId.trim() : externalId.trim().replace(/^@/, "").toLowerCase();
}

const objectOf = ({ id, type }: IntegrationRow) => ({ type: "integration", id, name: integrationTitles[type] });

function present({ externalId, userId, userName, createdAt }: LinkRow): Link {
  return { external_id: externalId, user_id: userId, user_name: userName, created_at: createdAt };
}
