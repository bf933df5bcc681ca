import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";

const tag = "Agent runs";

/** What the three operations take. */
const BanRun = z.object({ agent_run_id: z.int().min(1).describe("The run") });

/** What they answer, in the reference service's shape. */
export const BanAnswer = z.object({
  message: z.string().describe("The outcome in words"),
  agent_run_id: z.int().describe("The run"),
});
export type BanAnswer = z.infer<typeof BanAnswer>;

/** What is the same for all of them: keys of a board's columns are known to the reference service and not used here. */
const shared = {
  method: "POST",
  tag,
  scope: "runs:write",
  act: "cancel",
  params: OrgParams,
  body: BanRun,
  ignoredFields: ["before_card_order_id", "after_card_order_id"],
  result: BanAnswer,
} as const;

const whatItDoes =
  "Stops the run as cancel does, and flags it (`banned_at`): events of its pull request, as failed checks, wake it no more. A run that has ended is flagged too. People can still resume it, which leaves the flag.";

export const banRun = defineOperation({
  ...shared,
  id: "banRun",
  path: `${O}/agent/run/ban`,
  summary: "Stop a run, and let no event wake it",
  description: whatItDoes,
});

export const removeFromPullRequest = defineOperation({
  ...shared,
  id: "removeFromPullRequest",
  path: `${O}/agent/run/remove-from-pr`,
  summary: "Take a run off its pull request",
  description: `The same as ban. ${whatItDoes}`,
});

export const unbanRun = defineOperation({
  ...shared,
  id: "unbanRun",
  path: `${O}/agent/run/unban`,
  summary: "Let events wake a run again",
  description: "Takes the flag of ban away. Nothing is started.",
});
