import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { deliveries } from "#lib/contract/words.ts";
import { AttachedName } from "./attachment.ts";
import { EditTurn, Run } from "./run.ts";
import { imageBodyBytesMax } from "./run-operations.ts";

const TurnParams = RunParams.extend({ turn: WholeNumber(1, skipMax).describe("The turn's number, from 1") });

/** A turn that has not started. */
export const QueuedTurn = z.object({
  number: z
    .int()
    .describe(
      "The turn's number, which its message in the log has as `tool_input.turn`; a message that reached the agent during another turn has it as `tool_input.message`, and that turn as `tool_input.during_turn`",
    ),
  state: z
    .enum(["waiting", "held"])
    .describe("waiting: starts by itself when its turn comes. held: starts when someone sends it"),
  prompt: z.string().describe("The task of the turn, in words").meta({ example: "Fix the failing test" }),
  image_count: z.int().describe("Number of images in the prompt").meta({ example: 0 }),
  attachments: z
    .array(AttachedName)
    .describe("Its text files; when the turn begins, its message in the log has them whole"),
  model: z.string().nullable().describe("Model for this turn; null: the run's"),
  delivery: z
    .enum([...deliveries, "on_its_way"])
    .describe(
      "next_turn: starts when the turn before it has ended. next_step: reaches the agent between two steps of the current turn; if that ends first, it is the next turn. on_its_way: it is being given to the agent",
    ),
  revision: z.int().describe("Number of edits, from 0").meta({ example: 0 }),
  created_at: Instant.describe("When the turn was created"),
  user_id: z.int().nullable().describe("Id of the person who created it, or null"),
  user_name: z.string().nullable().describe("Their name, or null").meta({ example: "Grace Hopper" }),
});
z.globalRegistry.add(QueuedTurn, { id: "QueuedTurn", example: { attachments: [] } });
export type QueuedTurn = z.infer<typeof QueuedTurn>;

export const listQueue = defineOperation({
  id: "listQueue",
  summary: "List the turns that have not started",
  description:
    "By number, the order in which they start. A turn waits while the run is queued or live. It is held if the run was cancelled, was interrupted, ran out of tokens or could not start its agent first: nothing is dropped, and nothing runs that nobody asked for. A turn that fails does not hold the next one. The queue of an external run is always empty: its messages become log entries at once.",
  scope: "runs:read",
  params: RunParams,
  query: Paging,
  result: Page(QueuedTurn),
});

export const editTurn = defineOperation({
  id: "editTurn",
  summary: "Edit a turn that has not started",
  description:
    "409 if it has started, or was edited since `revision`. Without a revision the last edit wins. The prompt of turn 1 is the run's prompt.",
  scope: "runs:write",
  act: "edit_message",
  refusals: ["conflict"],
  params: TurnParams,
  body: EditTurn,
  bodyBytesMax: imageBodyBytesMax,
  result: QueuedTurn,
});

export const withdrawTurn = defineOperation({
  id: "withdrawTurn",
  summary: "Withdraw a turn that has not started",
  description:
    "The turn never runs and its text is deleted; only the prompt of turn 1 is kept, as the run's. Its number is not reused, and `turns` no longer counts it. 409 if it has started, or if the run is queued for this turn alone: cancel the run first.",
  scope: "runs:write",
  act: "edit_message",
  refusals: ["conflict"],
  params: TurnParams,
  result: Run,
});

export const sendQueue = defineOperation({
  id: "sendQueue",
  summary: "Send the held turns",
  description:
    "Lets them run in the order of their numbers: a run that has ended is queued again; in a live one they follow the current turn. If a cancel is in progress, they run once it has finished. 409 if no turn is held.",
  scope: "runs:write",
  act: "continue",
  idempotent: "once",
  params: RunParams,
  result: Run,
});
