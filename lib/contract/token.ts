import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { scopes } from "./operation.ts";
import { Role } from "./organization.ts";
import { Page, Paging } from "./page.ts";
import { FilledText, Instant } from "./text.ts";

const tag = "Tokens";

/** Which words for a run's status a token's answers use. */
export const StatusStyle = z.enum(["errand", "reference"]);
export type StatusStyle = z.infer<typeof StatusStyle>;

/** An API token as it is listed: the secret itself is shown once, at creation. */
export const Token = z.object({
  id: z.int().describe("The token's id, for revoking it"),
  name: z.string().describe("Name that its creator gave it"),
  role: Role.describe("Role: the most that the token may do"),
  scopes: z.array(z.enum(scopes)).describe("Its permissions: those of its role, or fewer"),
  status_style: StatusStyle.describe(
    "Words of its answers for statuses and roles: Errand's own, or the reference service's",
  ),
  user_id: z.int().describe("Id of the token's owner"),
  hint: z.string().describe("The last four characters"),
  created_at: Instant.describe("When it was created"),
  expires_at: Instant.nullable().describe("When it stops working; null: never"),
  last_used_at: Instant.nullable().describe("When it was last used; null: never"),
});
export type Token = z.infer<typeof Token>;

/** A token in the list, where several people's may stand. */
export const ListedToken = Token.extend({ user_name: z.string().nullable().describe("Id of the token's owner") });
export type ListedToken = z.infer<typeof ListedToken>;

/** Request body of `POST tokens`. Neither role, scopes nor life can exceed the creator's own. */
export const CreateToken = z.object({
  name: FilledText(100).describe("Name, for the list of tokens"),
  role: Role.default("member").describe("Role: the most that the token may do, at most your own"),
  scopes: z.array(z.enum(scopes)).min(1).nullish().describe("Fewer scopes than the role has"),
  days: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe("Days until it expires; without it, never. A token that expires cannot create one that lasts longer"),
  status_style: StatusStyle.default("errand").describe(
    "Words of its answers for statuses and roles: Errand's own, or the reference service's",
  ),
});
export type CreateToken = z.infer<typeof CreateToken>;

export const listTokens = defineOperation({
  id: "listTokens",
  method: "GET",
  path: `${O}/tokens`,
  tag,
  summary: "List the API tokens, newest first",
  description:
    "Signed in, people see their own tokens, admins and owners everybody's. " +
    "A token sees what its person would where it has the scope `org:admin`; without it, only itself.",
  scope: "any",
  params: OrgParams,
  query: Paging,
  result: Page(ListedToken),
});

export const createToken = defineOperation({
  id: "createToken",
  method: "POST",
  path: `${O}/tokens`,
  tag,
  summary: "Create an API token",
  description:
    "The answer holds the secret in `token`; it is not shown again. The new token has at most what creates it has: its role, " +
    "its scopes, and its end where it has one. Anything beyond that is 403.",
  scope: "any",
  tokenScope: "org:admin",
  params: OrgParams,
  body: CreateToken,
  result: Token.extend({ token: z.string().describe("The secret: what `Authorization: Bearer` takes") }),
});

export const deleteToken = defineOperation({
  id: "deleteToken",
  method: "DELETE",
  path: `${O}/tokens/{token_id}`,
  tag,
  summary: "Revoke an API token",
  description:
    "Signed in, people revoke their own tokens, admins and owners anybody's. A token revokes itself; with the scope `org:admin` " +
    "also what its person may revoke. Any other token answers 404, as one that does not exist. What uses the token stops " +
    "working at once; an open stream is closed within 5 seconds.",
  scope: "any",
  params: OrgParams.extend({ token_id: Id }),
  result: Token,
});
