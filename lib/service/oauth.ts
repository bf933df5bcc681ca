import type { OAuthProvider } from "#lib/contract/oauth.ts";
import type { OrganizationContext } from "./service-context.ts";

/** None: agents are given no MCP servers. */
export async function listMcpProviders(): Promise<OAuthProvider[]> {
  return [];
}

/** None: no OAuth tokens of people are kept. */
export async function listOAuthTokens(): Promise<string[]> {
  return [];
}

/** Says that there was nothing to revoke, which makes it so that there is no token: as asked. */
export async function revokeOAuthToken(_: OrganizationContext, { query }: { query: { provider: string } }) {
  const { provider } = query;
  return { message: `You have no OAuth token of ${provider} here, so nothing was revoked.`, provider, revoked: 0 };
}
