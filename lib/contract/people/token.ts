import { z } from "zod";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant, NameText } from "#lib/contract/text.ts";
import { Role } from "./organization.ts";
import { scopes } from "./role-scopes.ts";

/** Vocabulary for a run's status in a token's responses. */
export const StatusStyle = z.enum(["errand", "reference"]);
export type StatusStyle = z.infer<typeof StatusStyle>;

/** An API token as listed: the secret itself is shown once, at creation. */
export const Token = z.object({
  id: z.int().describe("The token's id, for revoking it"),
  name: z.string().describe("Name that its creator gave it").meta({ example: "CI" }),
  role: Role.describe("Role: the upper limit of what the token may do").meta({ example: "member" }),
  scopes: z
    .array(z.enum(scopes))
    .describe("Its permissions: those of its role, or fewer")
    .meta({ example: ["runs:read", "runs:write"] }),
  status_style: StatusStyle.describe(
    "Vocabulary of its responses for statuses of runs and roles of people: Errand's own, or the reference service's",
  ),
  user_id: z.int().describe("Id of the token's owner"),
  hint: z.string().describe("The last four characters").meta({ example: "0dWq" }),
  created_at: Instant.describe("When it was created"),
  expires_at: Instant.nullable()
    .describe("When it stops working; null: never")
    .meta({ example: "2026-03-02T09:00:00.000Z" }),
  last_used_at: Instant.nullable()
    .describe("When it was last used; null: never")
    .meta({ example: "2026-01-31T10:30:00.000Z" }),
});
z.globalRegistry.add(Token, { id: "Token" });
export type Token = z.infer<typeof Token>;

/** A token in the list, which may contain several people's. */
export const ListedToken = Token.extend({
  user_name: z.string().nullable().describe("Name of the token's owner, or null").meta({ example: "Grace Hopper" }),
});
export type ListedToken = z.infer<typeof ListedToken>;

/** Request body of `POST tokens`. Neither role, scopes nor lifetime can exceed the creator's own. */
export const CreateToken = z.object({
  name: NameText(100).describe("Name, for the list of tokens"),
  role: Role.default("member").describe("Role: the upper limit of what the token may do; at most your own"),
  scopes: z.array(z.enum(scopes)).min(1).nullish().describe("Fewer scopes than the role has"),
  days: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe(
      "Days until it expires; by default it never does. A token that expires cannot create one that lasts longer",
    ),
  status_style: StatusStyle.default("errand").describe(
    "Vocabulary of its responses for statuses of runs and roles of people: Errand's own, or the reference service's",
  ),
});
z.globalRegistry.add(CreateToken, { id: "CreateToken", example: { name: "CI", role: "member", days: 90 } });
export type CreateToken = z.infer<typeof CreateToken>;

export const listTokens = defineOperation({
  id: "listTokens",
  summary: "List the API tokens, newest first",
  description:
    "In a session, people see their own tokens; admins and owners see everyone's. " +
    "A token with the scope `org:admin` sees what its person would; without it, only itself.",
  scope: "any",
  params: OrgParams,
  query: Paging,
  result: Page(ListedToken),
});

export const createToken = defineOperation({
  id: "createToken",
  summary: "Create an API token",
  description:
    "The response contains the secret in `token`; it is not shown again. The new token has at most the rights of its creator: its role, " +
    "its scopes, and its expiry if it has one. Anything beyond that gives 403.",
  scope: "any",
  tokenScope: "org:admin",
  params: OrgParams,
  body: CreateToken,
  result: Token.extend({ token: z.string().describe("The secret: what `Authorization: Bearer` takes") }).meta({
    example: { token: "errand_7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE80dWq" },
  }),
  idempotent: "once",
});

export const deleteToken = defineOperation({
  id: "deleteToken",
  summary: "Revoke an API token",
  description:
    "In a session, people revoke their own tokens; admins and owners revoke anyone's. A token can revoke itself; with the scope `org:admin` " +
    "also whatever its person may revoke. Any other token gives 404, like one that does not exist. The revoked token stops " +
    "working at once; an open stream is closed within 5 seconds.",
  scope: "any",
  notTried: "It permanently revokes a token.",
  params: OrgParams.extend({ token_id: Id.describe("The API token") }),
  result: Token,
});
