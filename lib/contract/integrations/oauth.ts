import { z } from "zod";
import { defineOperation, Id } from "#lib/contract/define-operation.ts";
import { FilledText } from "#lib/contract/text.ts";

/** An MCP server, in the reference service's shape. */
export const OAuthProvider = z.object({
  id: z.int().describe("The provider's id"),
  name: z.string().describe("Display name").meta({ example: "tracker" }),
  issuer: z.string().describe("The issuer's address").meta({ example: "https://mcp.example.com" }),
  authorization_endpoint: z.string().describe("Page where people give consent; empty if nobody needs to sign in"),
  token_endpoint: z.string().describe("Address that issues tokens; empty if nobody needs to sign in"),
  default_scopes: z.array(z.string()).nullable().describe("Requested scopes, or null").meta({ example: null }),
  is_mcp: z.boolean().describe("Whether it serves MCP tools"),
  meta: z.record(z.string(), z.unknown()).nullable().describe("Further details, or null"),
});
z.globalRegistry.add(OAuthProvider, {
  example: {
    authorization_endpoint: "",
    token_endpoint: "",
    meta: { url: "https://mcp.example.com/mcp", active: true },
  },
});
export type OAuthProvider = z.infer<typeof OAuthProvider>;

export const listMcpProviders = defineOperation({
  id: "listMcpProviders",
  isReference: true,
  summary: "List the MCP servers of the caller's organization",
  description:
    "In the reference service's format. Agents sign in with headers that an admin has set, so people do not sign in to them: both endpoints are empty. `meta` has the URL, and whether the server worked when it was last checked.",
  scope: "any",
  result: z.array(OAuthProvider),
});

export const listOAuthTokens = defineOperation({
  id: "listOAuthTokens",
  isReference: true,
  summary: "List the providers for which the caller has an OAuth token",
  description:
    "An empty list: this version stores no OAuth tokens of people. GET integrations shows what the organization is connected to.",
  scope: "any",
  query: z.object({ org_id: Id.describe("The organization").meta({ example: 1 }) }),
  result: z.array(z.string()).meta({ example: [] }),
});

export const revokeOAuthToken = defineOperation({
  id: "revokeOAuthToken",
  isReference: true,
  summary: "Revoke the caller's OAuth tokens of a provider",
  description: "This version has none to revoke, and the response says so.",
  scope: "org:admin",
  notTried: "It permanently revokes a token.",
  query: z.object({
    provider: FilledText(100).describe("The provider's name").meta({ example: "github" }),
    org_id: Id.describe("The organization").meta({ example: 1 }),
  }),
  result: z.object({
    message: z.string().describe("The outcome in words").meta({ example: "There was no token to revoke." }),
    provider: z.string().describe("The provider's name").meta({ example: "github" }),
    revoked: z.int().describe("How many tokens were revoked").meta({ example: 0 }),
  }),
  idempotent: "repeatable",
});
