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

/** What POST tokens takes. The role cannot exceed the creator's own. */
export const CreateToken = z.object({
  name: FilledText(100),
  role: Role.default("member"),
  scopes: z.array(z.enum(scopes)).min(1).nullish().describe("Fewer scopes than the role has"),
  days: z.int().min(1).max(3650).nullish().describe("Days until it expires; never where absent"),
  status_style: StatusStyle.default("errand"),
});
export type CreateToken = z.infer<typeof CreateToken>;

export const listTokens = defineOperation({
  id: "listTokens",
  method: "GET",
  path: `${O}/tokens`,
  tag,
  summary: "List the API tokens, newest first",
  description: "Admins and owners see those of everybody, others their own.",
  scope: "org:read",
  params: OrgParams,
  query: Paging,
  result: Page(Token),
});

export const createToken = defineOperation({
  id: "createToken",
  method: "POST",
  path: `${O}/tokens`,
  tag,
  summary: "Create an API token",
  description: "The answer holds the secret in `token`; it is not shown again.",
  scope: "org:read",
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
  scope: "org:read",
  params: OrgParams.extend({ token_id: Id }),
  result: Token,
});
