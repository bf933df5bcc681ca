import { bulkCancelMax } from "#lib/contract/bounds.ts";
import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import { newestFirst, pageOf, rowsOf } from "#lib/contract/page.ts";
import { attachedFiles } from "#lib/contract/runs/attachment.ts";
import type { AnswerQuestion } from "#lib/contract/runs/question.ts";
import type { CreateRun, ResumeRun, Run, StartedRun } from "#lib/contract/runs/run.ts";
import type { CancelRuns, ListRunsQuery } from "#lib/contract/runs/run-list.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import type { RunFilter, RunOrder, RunRow } from "#lib/store/store.ts";
import { checkModel } from "./choose-agent.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { Tagged } from "./reply.ts";
import { refuseRival } from "./rival-run.ts";
import { chooseForRun } from "./run-defaults.ts";
import { chooseMcpServers, sealRunServers } from "./run-mcp-servers.ts";
import { prepareRunWebhooks, withWebhooks } from "./run-webhooks.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRun = { params: { agent_run_id: number } };

/** Queues a run. 404 if the repository does not exist, 400 if the agent or an MCP server cannot be used, or it takes no model, 409 if no agent is ready. */
export async function createRun(context: OrganizationContext, { body }: { body: CreateRun }): Promise<StartedRun> {
  const { store, access } = context;
  const repositoryId = body.repo_id ?? null;
  if (repositoryId !== null && (await store.repositories.find(access, repositoryId)) === null) {
    throw notFound("Repository");
  }
  const mcpServers = await chooseMcpServers(context, body);
  const webhooks = prepareRunWebhooks(context, body.webhooks);
  const { missed, ...chosen } = await chooseForRun(body, access.organizationId, store);
  const run = await store.runs.create(
    access,
    {
      webhooks: webhooks.rows,
      prompt: body.prompt,
      images: body.images ?? [],
      attachments: attachedFiles(body.attachments),
      ...chosen,
      sourceType: context.caller.kind === "session" ? "CHAT" : "API",
      metadata: body.metadata ?? {},
      repositoryId,
      mcpServers,
      baseBranch: body.base_branch ?? null,
    },
    missed === null ? [] : [noticeEntry("A different agent is used", missed)],
  );
  return withWebhooks(presentRun(run, viewOf(context)), webhooks);
}

/** One run; clients may cache the response. */
export async function getRun(context: OrganizationContext, { params }: OfRun): Promise<Tagged> {
  return new Tagged(presentRun(await findRun(context, params.agent_run_id), viewOf(context)));
}

const orders: Record<ListRunsQuery["sort"], RunOrder> = {
  "-created_at": "newest",
  created_at: "oldest",
  "-finished_at": "last_ended",
};

/** Runs that match every filter, in the order asked for, with the fields asked for. 400 for `before` with another order. */
export async function listRuns(context: OrganizationContext, { query }: { query: ListRunsQuery }) {
  const rows = rowsOf(query);
  if (query.before !== undefined && query.sort !== newestFirst) {
    const msg = `before can only be combined with sort=${newestFirst}`;
    throw new ApiError("invalid_parameters", `${msg}.`, {
      fields: [{ loc: ["query", "before"], msg, type: "value_error" }],
    });
  }
  const order = orders[query.sort];
  const { items, total, passed } = await context.store.runs.list(context.access, filterOf(query), rows, order);
  const view = viewOf(context);
  const { fields } = query;
  const shown = items.map((row): Partial<Run> => {
    const run = presentRun(row, view);
    return fields === undefined ? run : Object.fromEntries(fields.map((name) => [name, run[name]]));
  });
  return pageOf(shown, total, { ...rows, skip: rows.skip + passed });
}

/**
 * Adds a turn: an ended run is queued again, a live one runs it next. 400 if its agent takes no model, 409 if it is an
 * analysis or a generate run and another one for the same run or repository is in progress.
 */
export async function resumeRun(context: OrganizationContext, { body }: { body: ResumeRun }): Promise<StartedRun> {
  if (body.model != null) {
    await checkModel((await findRun(context, body.agent_run_id)).agent, body.model, context.store);
  }
  await refuseRival(context, body.agent_run_id);
  const turn = {
    prompt: body.prompt,
    images: body.images ?? [],
    attachments: attachedFiles(body.attachments),
    model: body.model ?? null,
  };
  const withHeld = body.with_queue === true;
  const webhooks = prepareRunWebhooks(context, body.webhooks);
  const own = body.mcp_servers == null ? {} : { mcpServers: sealRunServers(context, body.mcp_servers) };
  const more = { withHeld, webhooks: webhooks.rows, ...own, atNextStep: body.delivery === "next_step" };
  const run = await context.store.runs.addTurn(context.access, body.agent_run_id, turn, more);
  return withWebhooks(presentRun(found(run), viewOf(context)), webhooks);
}

/** Ends a run, or records the request for its engine. */
export async function cancelRun(context: OrganizationContext, { params }: OfRun): Promise<Run> {
  const run = await context.store.runs.cancel(context.access, params.agent_run_id);
  return presentRun(found(run), viewOf(context));
}

/**
 * Ends every run that matches, or records the request for its engine; at most 1,000 at once, queued ones first. 404 if the
 * repository does not exist.
 */
export async function cancelRuns(context: OrganizationContext, { body }: { body: CancelRuns }) {
  const { store, access } = context;
  const { agent_run_ids: ids, status, metadata, all: _, ...query } = body;
  if (query.repo_id !== undefined && (await store.repositories.find(access, query.repo_id)) === null) {
    throw notFound("Repository");
  }
  const filter = filterOf(query);
  if (ids !== undefined) filter.ids = ids;
  if (metadata !== undefined) filter.metadata = Object.entries(metadata);
  const cancelled: number[] = [];
  let remaining = 0;
  // None of the queued ones is to start because a running one ends.
  for (const one of ["queued", "running", "waiting", "evaluating"] as const) {
    if (status !== undefined && !status.includes(one)) continue;
    const found = await store.runs.listIds(access, { ...filter, statuses: [one] }, bulkCancelMax - cancelled.length);
    remaining += found.total - found.ids.length;
    for (const id of found.ids) {
      const run = await store.runs.cancel(access, id);
      // It may have ended by itself, or been deleted.
      if (run !== null && (run.status === "cancelled" || !isEnd(run.status))) cancelled.push(id);
    }
  }
  return { cancelled_run_ids: cancelled, remaining };
}

/** {@link cancelRun} for clients that name the run in the body. */
export function stopRun(context: OrganizationContext, { body }: { body: { agent_run_id: number } }): Promise<Run> {
  return cancelRun(context, { params: body });
}

/** Answers the run's question. 409 if it is not open (any more), 400 for an option it does not have. */
export async function answerQuestion(
  context: OrganizationContext,
  { params, body }: OfRun & { body: AnswerQuestion },
): Promise<Run> {
  const run = await findRun(context, params.agent_run_id);
  const closed = () =>
    new ApiError("conflict", "The run is not, or is no longer, waiting for an answer to this question.");
  if (run.question === null || run.question.id !== body.question_id) throw closed();
  if (!run.question.options.some((option) => option.id === body.option_id)) {
    const options = run.question.options.map((option) => option.id).join(", ");
    throw invalidField(["option_id"], `must be one of ${options}`);
  }
  if (!(await context.store.runs.answer(context.access, run.id, body.question_id, body.option_id))) throw closed();
  return presentRun(await findRun(context, run.id), viewOf(context));
}

/** The run, or 404. */
export async function findRun(context: OrganizationContext, runId: number): Promise<RunRow> {
  return found(await context.store.runs.find(context.access, runId));
}

function found(run: RunRow | null): RunRow {
  if (run === null) throw notFound("Agent run");
  return run;
}

/** Run filters of a query, in the store's terms. */
export function filterOf(
  query: Omit<ListRunsQuery, "skip" | "limit" | "page" | "size" | "sort" | "fields">,
): RunFilter {
  const filter: RunFilter = {};
  if (query.status !== undefined) filter.statuses = query.status;
  if (query.repo_id !== undefined) filter.repositoryId = query.repo_id;
  if (query.user_id !== undefined) filter.userId = query.user_id;
  if (query.source_type !== undefined) filter.sourceType = query.source_type;
  if (query.agent !== undefined) filter.agent = query.agent;
  if (query.created_after !== undefined) filter.createdAfter = new Date(query.created_after).toISOString();
  if (query.created_before !== undefined) filter.createdBefore = new Date(query.created_before).toISOString();
  if (query.q !== undefined) filter.q = query.q;
  if (query.before !== undefined) filter.before = query.before;
  if (query.metadata !== undefined) filter.metadata = query.metadata;
  return filter;
}
