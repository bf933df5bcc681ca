import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { FilledText, Instant } from "#lib/contract/text.ts";
import { IntegrationType } from "./integration.ts";

/** How long a code of {@link createLinkCode} is valid. */
export const linkCodeMinutes = 15;

/** Maps a person in a connected service to a member. */
export const Link = z.object({
  external_id: z.string().describe("The service's own id; on a code host, the user name in lower case"),
  user_id: z.int().describe("The member"),
  user_name: z.string().nullable().describe("The member's name, or null"),
  created_at: Instant.describe("When they were linked"),
});
z.globalRegistry.add(Link, { example: { external_id: "U024BE7LH", user_name: "Grace Hopper" } });
export type Link = z.infer<typeof Link>;

/** Request body of `PUT links`. */
export const PutLink = z.strictObject({
  external_id: FilledText(200).describe("Slack: the member ID, such as U0123456789; on a code host, the user name"),
  user_id: z.int().min(1).describe("The member"),
});
z.globalRegistry.add(PutLink, { example: { external_id: "U024BE7LH" } });
export type PutLink = z.infer<typeof PutLink>;

const LinkParams = OrgParams.extend({
  type: z
    .string()
    .describe(`One of ${IntegrationType.options.join(", ")}`)
    .meta({ example: "github" }),
});

export const listLinks = defineOperation({
  id: "listLinks",
  summary: "List the linked people of a connected service",
  description: "At most 1,000, by name.",
  scope: "org:read",
  refusals: ["conflict"],
  params: LinkParams,
  result: z.object({ items: z.array(Link).describe("Links, by name") }),
});

export const putLink = defineOperation({
  id: "putLink",
  summary: "Link a person in a connected service to a member",
  description:
    "Runs this person asks for there then count as the member's. In Slack and Linear, only linked members can start runs.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: LinkParams,
  body: PutLink,
  result: Link,
});

export const deleteLink = defineOperation({
  id: "deleteLink",
  summary: "Unlink a person",
  scope: "org:admin",
  refusals: ["conflict"],
  params: LinkParams.extend({
    external_id: z.string().describe("The person in the connected service").meta({ example: "U024BE7LH" }),
  }),
  result: z.object({
    external_id: z.string().describe("The service's own id of the person").meta({ example: "U024BE7LH" }),
  }),
});

export const createLinkCode = defineOperation({
  id: "createLinkCode",
  summary: "Create a code that links the caller",
  description: `For Slack and Linear: whoever sends it to the bot there is linked to the caller. It works once, for ${linkCodeMinutes} minutes.`,
  scope: "runs:write",
  rateClass: "edit",
  refusals: ["conflict"],
  params: LinkParams,
  result: z.object({
    code: z.string().describe("The code").meta({ example: "482913" }),
    say: z.string().describe("What to send to the bot").meta({ example: "@errand link 482913" }),
    expires_at: Instant.describe("When the code stops working").meta({ example: "2026-03-02T09:00:00.000Z" }),
  }),
  idempotent: "once",
});
