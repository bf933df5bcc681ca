import { z } from "zod";
import { defineOperation, Id } from "./define-operation.ts";
import { FilledText } from "./text.ts";

const tag = "Integrations";

/** A server of MCP tools that people could sign in to, in the reference service's shape. */
export const OAuthProvider = z.object({
  id: z.int().describe("The provider's id"),
  name: z.string().describe("Name for people"),
  issuer: z.string().describe("The issuer's address"),
  authorization_endpoint: z.string().describe("Page on which people consent"),
  token_endpoint: z.string().describe("Address that gives out tokens"),
  default_scopes: z.array(z.string()).nullable().describe("Scopes that are asked for, or null"),
  is_mcp: z.boolean().describe("It serves MCP tools"),
  meta: z.record(z.string(), z.unknown()).nullable().describe("Further facts, or null"),
});
export type OAuthProvider = z.infer<typeof OAuthProvider>;

export const listMcpProviders = defineOperation({
  id: "listMcpProviders",
  method: "GET",
  path: "/v1/mcp-providers",
  tag,
  summary: "List the MCP providers that people can sign in to",
  description: "An empty list: agents of this version are given no MCP servers.",
  scope: "any",
  result: z.array(OAuthProvider),
});

export const listOAuthTokens = defineOperation({
  id: "listOAuthTokens",
  method: "GET",
  path: "/v1/oauth/tokens/status",
  tag,
  summary: "List the providers for which the caller has an OAuth token",
  description:
    "An empty list: this version keeps no OAuth tokens of people. What the organization is connected to is told by GET integrations.",
  scope: "any",
  query: z.object({ org_id: Id.describe("The organization") }),
  result: z.array(z.string()),
});

export const revokeOAuthToken = defineOperation({
  id: "revokeOAuthToken",
  method: "POST",
  path: "/v1/oauth/tokens/revoke",
  tag,
  summary: "Revoke the caller's OAuth tokens of a provider",
  description: "There are none to revoke in this version, and the answer says so.",
  scope: "org:admin",
  query: z.object({
    provider: FilledText(100).describe("The provider's name"),
    org_id: Id.describe("The organization"),
  }),
  result: z.object({
    message: z.string().describe("The outcome in words"),
    provider: z.string().describe("The provider's name"),
    revoked: z.int().describe("How many tokens were revoked"),
  }),
});
