import type { OAuthProvider } from "#lib/contract/integrations/oauth.ts";
import { findCurrentOrganization } from "./organizations.ts";
import type { CallerContext, OrganizationContext } from "./service-context.ts";

/** The MCP servers of the caller's organization. Nobody signs in to them. */
export async function listMcpProviders(context: CallerContext): Promise<OAuthProvider[]> {
  const { userId, scopes } = context.caller;
  const organizationId = await findCurrentOrganization(context);
  if (organizationId === null || (scopes !== null && !scopes.includes("org:read"))) return [];
  if ((await context.store.organizations.findRole(organizationId, userId)) === null) return [];
  const rows = await context.store.mcpServers.list({ organizationId });
  return rows.map(({ id, name, url, active }) => ({
    id,
    name,
    issuer: new URL(url).origin,
    authorization_endpoint: "",
    token_endpoint: "",
    default_scopes: null,
    is_mcp: true,
    meta: { url, active },
  }));
}

/** None: OAuth tokens of people are not stored. */
export async function listOAuthTokens(): Promise<string[]> {
  return [];
}

/** Says that there was nothing to revoke, so the requested state already holds. */
export async function revokeOAuthToken(_: OrganizationContext, { query }: { query: { provider: string } }) {
  const { provider } = query;
  return { message: `You have no OAuth token of ${provider} here, so nothing was revoked.`, provider, revoked: 0 };
}
