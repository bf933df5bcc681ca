import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, OrgParams, RunParams } from "#lib/contract/define-operation.ts";
import { LogEntry } from "#lib/contract/logs/entry.ts";
import { LogFilter } from "#lib/contract/logs/log-filter.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { Progress } from "./progress.ts";
import { AnswerQuestion } from "./question.ts";
import { CreateRun, ResumeRun, Run, StartedRun } from "./run.ts";

/** Maximum size of a body that may contain images, in bytes. */
export const imageBodyBytesMax = 20 * 1024 * 1024;

export const createRun = defineOperation({
  id: "createRun",
  isReference: true,
  summary: "Start a run",
  description:
    "Queues a run of an agent in a checkout of a repository. Without repo_id the agent works in a new, empty repository. Without agent, the organization's default or the first agent that is ready is used. If only the built-in agent `steps` is left, which has no model, it runs the prompt's fenced code blocks, and a prompt without any is refused with 409 `no_agent_ready`. A run of the agent `external` is running at once: another system executes it and reports its steps. 429 `queue_full` if the queue is full.",
  scope: "runs:write",
  rateClass: "create",
  idempotent: "once",
  params: OrgParams,
  body: CreateRun,
  bodyBytesMax: imageBodyBytesMax,
  result: StartedRun,
});

export const getRun = defineOperation({
  id: "getRun",
  isReference: true,
  summary: "Get a run",
  scope: "runs:read",
  tagged: true,
  params: RunParams,
  result: Run,
});

export const deleteRun = defineOperation({
  id: "deleteRun",
  summary: "Delete a run",
  description:
    "Permanently deletes its log, prompts, changes, share links, checkout and branch, its proposal of setup commands, and the runs that analyzed it, because they quote it. The audit log records who deleted it. From then on nobody can read it; its files are gone from Errand's disk a few seconds later. Checkouts of other runs of the repository keep a copy of its branch's git objects until they are removed. 409 while it, or a run that analyzes it, is live: cancel that first.",
  scope: "runs:write",
  act: "delete",
  refusals: ["conflict"],
  params: RunParams,
  result: z.object({
    agent_run_id: z.int().describe("The deleted run"),
    deleted_run_ids: z.array(z.int()).describe("Ids of this run and of the runs that analyzed it"),
  }),
  ifMatch: true,
});

export const resumeRun = defineOperation({
  id: "resumeRun",
  isReference: true,
  aliases: ["/v1/beta/organizations/{org_id}/agent/run/resume"],
  summary: "Add a turn to a run",
  description:
    "A run that has ended is queued again and continues its agent's session; for a live run the prompt is queued as its next turn, or with `delivery: next_step` reaches an agent that can take it between two of its steps. Turns left over from a cancel are held (GET queue): with with_queue they run first, otherwise they stay held.",
  scope: "runs:write",
  act: "continue",
  idempotent: "once",
  params: OrgParams,
  body: ResumeRun,
  bodyBytesMax: imageBodyBytesMax,
  result: StartedRun,
});

export const cancelRun = defineOperation({
  id: "cancelRun",
  summary: "Cancel a run",
  description:
    "Stops the agent and everything it started; the run keeps its status until that is done, so the response may still be `running`. Waiting turns are held: GET queue lists them, and POST queue/send runs them. A run that has already ended stays as it is.",
  scope: "runs:write",
  act: "cancel",
  params: RunParams,
  result: Run,
  idempotent: "repeatable",
});

export const stopRun = defineOperation({
  id: "stopRun",
  summary: "Cancel a run (older clients)",
  scope: "runs:write",
  act: "cancel",
  params: OrgParams,
  body: z.object({ agent_run_id: z.int().min(1).describe("The run to cancel") }),
  ignoredFields: ["before_card_order_id", "after_card_order_id"],
  result: Run,
  idempotent: "repeatable",
});

export const answerQuestion = defineOperation({
  id: "answerQuestion",
  summary: "Answer the question of a waiting run",
  description:
    "The run asks one question at a time: its `question`, with the options to choose from. The response may still be `waiting`, with `question.answered: true`, until the agent goes on; 409 if the question has been answered or is no longer open.",
  scope: "runs:write",
  act: "answer",
  refusals: ["conflict"],
  params: RunParams,
  body: AnswerQuestion,
  result: Run,
  idempotent: "once",
});

/** Maximum length of strings inside an entry if `clip` asks for it. */
const Clip = WholeNumber(1, 10_000_000);

export const LogsQuery = z.object({
  skip: WholeNumber(0, skipMax).default(0).describe("How many entries to skip").meta({ example: 0 }),
  limit: WholeNumber(1, 100).default(100).describe("Maximum number of entries to return").meta({ example: 100 }),
  reverse: z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
    .default(false)
    .describe("Newest first"),
  clip: Clip.optional().describe("Cut strings inside entries at this many characters; `clipped` lists them"),
  ...LogFilter.shape,
});
export type LogsQuery = z.infer<typeof LogsQuery>;

/** A run and one page of its entries. `page`, `size` and `pages` follow from skip and limit. */
export const RunWithLogs = Run.extend({
  logs: z.array(LogEntry).describe("The entries of this page"),
  page: z.int().describe("Number of this page, from 1: floor(skip / limit) + 1"),
  size: z.int().describe("The `limit` that was applied").meta({ example: 100 }),
  pages: z.int().describe("Number of pages of this size; 0 if there are no entries"),
  matching_logs: z.int().optional().describe("With a filter: how many entries match; skip and pages count these"),
  complete: z.boolean().optional().describe("With a filter: false while the search for q is still running"),
});
z.globalRegistry.add(RunWithLogs, { id: "RunWithLogs", example: Run.meta()?.example });
export type RunWithLogs = z.infer<typeof RunWithLogs>;

export const getLogs = defineOperation({
  id: "getLogs",
  isReference: true,
  aliases: ["/v1/alpha/organizations/{org_id}/agent/run/{agent_run_id}/logs"],
  summary: "Read a run's log entries",
  description:
    "Oldest first; reverse=true returns the newest first. Pages are asked for by skip and limit, not by `page` and `size`. Deep pages are as fast as the first. With a filter, skip, limit and pages count the matching entries (`matching_logs`); `total_logs` still counts all.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  query: LogsQuery,
  result: RunWithLogs,
});

export const getLogEntry = defineOperation({
  id: "getLogEntry",
  summary: "Read one whole log entry",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams.extend({ seq: WholeNumber(1, skipMax).describe("The entry's number, from 1") }),
  result: LogEntry,
});

export const streamLogs = defineOperation({
  id: "streamLogs",
  summary: "Follow a run's log entries live",
  description:
    "Server-sent events: `entry` (id: seq), `run` whenever the run changes, `progress` for work in progress, `end` when the run has ended and everything was sent; a client that reconnects with the id of `end` gets 204, unless the run has gone on. Resumes after Last-Event-ID or `after`. Without `end`, the connection is closed within 5 seconds when the token is revoked or expires, the person signs out or their session expires, or their membership no longer allows it; connecting again then gives 401 or 403.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: RunParams,
  query: z.object({
    after: WholeNumber(0, skipMax).optional().meta({
      description: "Entries up to this seq are not sent. Last-Event-ID wins if both are given",
      default: 0,
      example: 0,
    }),
    clip: Clip.optional().describe("Cut strings inside entries at this many characters; `clipped` lists them"),
  }),
  result: z.string(),
  events: { entry: LogEntry, run: Run, progress: Progress.nullable(), end: Run },
});
