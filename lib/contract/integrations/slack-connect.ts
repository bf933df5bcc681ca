import { z } from "zod";
import { defineOperation } from "#lib/contract/define-operation.ts";

/** How long a token of {@link generateSlackToken} is valid, in minutes: the reference service's number. */
export const slackTokenMinutes = 10;

export const generateSlackToken = defineOperation({
  id: "generateSlackToken",
  isReference: true,
  summary: "Create a token that links the caller's Slack account",
  description: `The message says what to send to the bot in Slack. The token works once, for ${slackTokenMinutes} minutes; a new one replaces the previous one. Whoever may start runs can link themselves with \`POST …/integrations/slack/link-code\`. 409 with the reason if Slack is not connected.`,
  scope: "org:admin",
  refusals: ["conflict"],
  body: z.object({ org_id: z.int().min(1).describe("The organization").meta({ example: 1 }) }),
  result: z
    .object({
      token: z.string().describe("Secret that links the account when sent to the bot").meta({ example: "482913" }),
      message: z.string().describe("Instruction: the text to send to the bot in Slack"),
      expires_in_minutes: z.int().describe("Minutes until it expires").meta({ example: 10 }),
    })
    .meta({ example: { message: "Write to the bot in Slack: @errand link 482913" } }),
  idempotent: "once",
});
