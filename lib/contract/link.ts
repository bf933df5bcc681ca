import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { IntegrationType } from "./integration.ts";
import { FilledText, Instant } from "./text.ts";

const tag = "Integrations";

/** How long a code of {@link createLinkCode} is good. */
export const linkCodeMinutes = 15;

/** Which member somebody is in a connected service. */
export const Link = z.object({
  external_id: z
    .string()
    .describe("The service's own id; on a code host the name that people have there, in small letters"),
  user_id: z.int().describe("The member"),
  user_name: z.string().nullable().describe("The member's name, or null"),
  created_at: Instant.describe("When they were linked"),
});
export type Link = z.infer<typeof Link>;

/** Request body of `PUT links`. */
export const PutLink = z.strictObject({
  external_id: FilledText(200).describe("As in a Slack member's profile: U0123456789; on a code host the name"),
  user_id: z.int().min(1).describe("The member"),
});
export type PutLink = z.infer<typeof PutLink>;

const LinkParams = OrgParams.extend({
  type: z.string().describe(`One of ${IntegrationType.options.join(", ")}`),
});

export const listLinks = defineOperation({
  id: "listLinks",
  method: "GET",
  path: `${O}/integrations/{type}/links`,
  tag,
  summary: "List who is who in a connected service",
  description: "At most 1,000, by name.",
  scope: "org:read",
  params: LinkParams,
  result: z.object({ items: z.array(Link).describe("Links, by name") }),
});

export const putLink = defineOperation({
  id: "putLink",
  method: "PUT",
  path: `${O}/integrations/{type}/links`,
  tag,
  summary: "Link somebody in a connected service to a member",
  description:
    "Runs that this person asks for there are then the member's. In Slack and Linear only linked members are heard.",
  scope: "org:admin",
  params: LinkParams,
  body: PutLink,
  result: Link,
});

export const deleteLink = defineOperation({
  id: "deleteLink",
  method: "DELETE",
  path: `${O}/integrations/{type}/links/{external_id}`,
  tag,
  summary: "Unlink somebody",
  scope: "org:admin",
  params: LinkParams.extend({ external_id: z.string() }),
  result: z.object({ external_id: z.string().describe("The service's own id of the person who was unlinked") }),
});

export const createLinkCode = defineOperation({
  id: "createLinkCode",
  method: "POST",
  path: `${O}/integrations/{type}/link-code`,
  tag,
  summary: "Make a code that links the caller",
  description: `For Slack and Linear: whoever says it to the bot there is linked to the caller. It works once, for ${linkCodeMinutes} minutes.`,
  scope: "runs:write",
  rateClass: "edit",
  params: LinkParams,
  result: z.object({
    code: z.string().describe("The code"),
    say: z.string().describe("What to write to the bot"),
    expires_at: Instant.describe("When the code stops working"),
  }),
});
