import { z } from "zod";
import { defineOperation } from "./define-operation.ts";

/** How long a token of {@link generateSlackToken} is good, in minutes: the reference service's number. */
export const slackTokenMinutes = 10;

export const generateSlackToken = defineOperation({
  id: "generateSlackToken",
  method: "POST",
  path: "/v1/slack-connect/generate-token",
  tag: "Integrations",
  summary: "Make a token that links the caller's Slack account",
  description: `The message says what to write to the bot in Slack. The token works once, for ${slackTokenMinutes} minutes; a new one ends the one before. 409 while Slack is not connected, with what is missing.`,
  scope: "runs:write",
  rateClass: "edit",
  body: z.object({ org_id: z.int().min(1).describe("The organization") }),
  result: z.object({
    token: z.string().describe("Secret that links the account when it is written to the bot"),
    message: z.string().describe("Instruction: the text to write to the bot in Slack"),
    expires_in_minutes: z.int().describe("For how many minutes it works"),
  }),
});
