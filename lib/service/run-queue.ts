import { ApiError, notFound } from "#lib/contract/error.ts";
import type { QueryOf } from "#lib/contract/operation.ts";
import { pageOf, rowsOf } from "#lib/contract/page.ts";
import { attachedFiles } from "#lib/contract/runs/attachment.ts";
import type { EditTurn, Run } from "#lib/contract/runs/run.ts";
import type { listQueue as listQueueOperation, QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import type { QueuedTurnRow, TurnRefusal } from "#lib/store/store.ts";
import { checkModel } from "./choose-agent.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { refuseRival } from "./rival-run.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRun = { params: { agent_run_id: number } };
type OfTurn = { params: { agent_run_id: number; turn: number } };

/** Turns of a run that have not started, in the order they start in. */
export async function listQueue(
  { store, access }: OrganizationContext,
  { params, query }: OfRun & { query: QueryOf<typeof listQueueOperation> },
) {
  const rows = rowsOf(query);
  const listed = await store.turns.listQueued(access, params.agent_run_id, rows);
  if (listed === null) throw notFound("Agent run");
  return pageOf(listed.items.map(presentTurn), listed.total, rows);
}

/**
 * Changes a turn that has not started. 400 if the agent takes no model, 409 if it has started or was edited in the meantime.
 */
export async function editTurn(
  context: OrganizationContext,
  { params, body }: OfTurn & { body: EditTurn },
): Promise<QueuedTurn> {
  const { store, access } = context;
  const { prompt, images, attachments, model, revision } = body;
  if (model != null) await checkModel((await findRun(context, params.agent_run_id)).agent, model, store);
  const changes = {
    ...(prompt == null ? {} : { prompt }),
    ...(images == null ? {} : { images }),
    ...(attachments == null ? {} : { attachments: attachedFiles(attachments) }),
    ...(model === undefined ? {} : { model }),
  };
  const done = await store.turns.edit(access, params.agent_run_id, params.turn, changes, revision ?? null);
  if ("refused" in done) throw refusal(done.refused, params.turn);
  return presentTurn(done.turn);
}

/** Withdraws a turn that has not started. 409 if it has started, or if the run is queued for it alone. */
export async function withdrawTurn(context: OrganizationContext, { params }: OfTurn): Promise<Run> {
  const done = await context.store.turns.withdraw(context.access, params.agent_run_id, params.turn);
  if ("refused" in done) throw refusal(done.refused, params.turn);
  return presentRun(done.run, viewOf(context));
}

/** Releases the held turns. 409 if none is held, or if {@link refuseRival} refuses. */
export async function sendQueue(context: OrganizationContext, { params }: OfRun): Promise<Run> {
  await refuseRival(context, params.agent_run_id);
  const done = await context.store.turns.sendHeld(context.access, params.agent_run_id);
  if ("run" in done) return presentRun(done.run, viewOf(context));
  throw done.refused === "run_absent"
    ? notFound("Agent run")
    : new ApiError("conflict", "No turn of this run is held.");
}

function presentTurn(turn: QueuedTurnRow): QueuedTurn {
  return {
    number: turn.number,
    state: turn.state,
    prompt: turn.prompt,
    image_count: turn.imageCount,
    attachments: turn.attachments,
    model: turn.model,
    delivery: turn.steering === "no" ? "next_turn" : turn.steering,
    revision: turn.revision,
    created_at: turn.createdAt,
    user_id: turn.userId,
    user_name: turn.userName,
  };
}

function refusal(refused: TurnRefusal, turn: number): ApiError {
  switch (refused) {
    case "run_absent":
      return notFound("Agent run");
    case "absent":
      return notFound("Turn");
    case "begun":
      return new ApiError("conflict", `Turn ${turn} has already begun.`);
    case "edited":
      return new ApiError("conflict", `Turn ${turn} was edited since that revision. Read it again.`);
    case "needed":
      return new ApiError(
        "conflict",
        `Turn ${turn} is the only one that this run is queued for. Cancel the run, then remove the turn.`,
      );
  }
}
