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
  id: z.int(),
  name: z.string(),
  role: Role,
  scopes: z.array(z.enum(scopes)),
  status_style: StatusStyle,
  user_id: z.int(),
  hint: z.string().describe("The last four characters"),
  created_at: Instant,
  expires_at: Instant.nullable(),
  last_used_at: Instant.nullable(),
});
export type Token = z.infer<typeof Token>;

/** A token in the list, where several people's may stand. */
export const ListedToken = Token.extend({ user_name: z.string().nullable().describe("Whose it is") });
export type ListedToken = z.infer<typeof ListedToken>;

/** Request body of `POST tokens`. Neither role, scopes nor life can exceed the creator's own. */
export const CreateToken = z.object({
  name: FilledText(100),
  role: Role.default("member"),
  scopes: z.array(z.enum(scopes)).min(1).nullish().describe("Fewer scopes than the role has"),
  days: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe("Days until it expires; without it, never. A token that expires cannot create one that lasts longer"),
  status_style: StatusStyle.default("errand"),
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
  result: Token.extend({ token: z.string() }),
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
