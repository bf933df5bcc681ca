import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";

/** Input of the three operations. */
const BanRun = z.object({ agent_run_id: z.int().min(1).describe("The run") });

/** Their response, in the reference service's shape. */
export const BanAnswer = z.object({
  message: z
    .string()
    .describe("The outcome in words")
    .meta({ example: "The run is being stopped. Events on its pull request no longer resume it." }),
  agent_run_id: z.int().describe("The run"),
});
export type BanAnswer = z.infer<typeof BanAnswer>;

/** Common to all of them: column keys of a board are known to the reference service and not used here. */
const shared = {
  scope: "runs:write",
  act: "cancel",
  params: OrgParams,
  body: BanRun,
  ignoredFields: ["before_card_order_id", "after_card_order_id"],
  result: BanAnswer,
} as const;

const whatItDoes =
  "Stops the run as cancel does, and flags it (`banned_at`): pull request events, such as failed checks, no longer resume it. A run that has ended is flagged too, and so are other runs that work on the same pull request. People can still resume it, which keeps the flag.";

export const banRun = defineOperation({
  ...shared,
  id: "banRun",
  isReference: true,
  summary: "Stop a run, and ignore pull request events for it",
  description: whatItDoes,
  idempotent: "repeatable",
});

export const removeFromPullRequest = defineOperation({
  ...shared,
  id: "removeFromPullRequest",
  isReference: true,
  summary: "Stop a run, and ignore pull request events for it: same as ban",
  description: `The same as ban; the pull request stays linked to the run. ${whatItDoes}`,
  idempotent: "repeatable",
});

export const unbanRun = defineOperation({
  ...shared,
  id: "unbanRun",
  isReference: true,
  summary: "Let pull request events resume a run again",
  description: "Removes the flags that ban set, of all runs of the pull request. Nothing is started.",
  result: BanAnswer.meta({
    example: { message: "Events on its pull request may resume the run again. Nothing was started." },
  }),
  idempotent: "repeatable",
});
