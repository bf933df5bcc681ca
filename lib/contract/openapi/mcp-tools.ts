import { z } from "zod";
import { getAnalysis } from "#lib/contract/logs/analysis.ts";
import { FindQuery, findInLogs } from "#lib/contract/logs/find.ts";
import { SearchQuery, searchRuns } from "#lib/contract/logs/search.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { listDenials } from "#lib/contract/repositories/network.ts";
import { listRepositories } from "#lib/contract/repositories/repository.ts";
import { getSetup } from "#lib/contract/repositories/setup-operations.ts";
import { listAgents } from "#lib/contract/runs/agent.ts";
import { listModels } from "#lib/contract/runs/model-list.ts";
import { OpenPullRequest, openPullRequest } from "#lib/contract/runs/pull-request.ts";
import { pushRun } from "#lib/contract/runs/push.ts";
import { AnswerQuestion } from "#lib/contract/runs/question.ts";
import { CreateRun, ResumeRun } from "#lib/contract/runs/run.ts";
import { ListRunsQuery, listRuns } from "#lib/contract/runs/run-list.ts";
import * as runs from "#lib/contract/runs/run-operations.ts";
import { listQueue } from "#lib/contract/runs/run-queue.ts";
import * as work from "#lib/contract/runs/work.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";

/** A tool of the MCP server at /mcp. Calling it calls its operation, with the same rights, limits and errors. */
export type McpTool = {
  name: string;
  title: string;
  /** Description by which a model chooses it. */
  description: string;
  operation: AnyOperation;
  /** Fields of the operation's path, query and body that the tool takes, and its own. */
  input: z.ZodObject;
  /** Default values for fields that a call leaves out. */
  defaults: Record<string, unknown>;
  /** Longest string in a result, in characters: a model reads it, and can read on with another tool. */
  charactersMax: number;
  readOnly: boolean;
  /** Whether it may end or replace something; only set for tools that are not read-only. */
  destructive: boolean;
  /** Whether calling it again with the same input changes nothing more. */
  idempotent: boolean;
};

/** Longest wait of wait_for_run, in seconds: below the minute after which clients abort a call. */
export const waitSecondsMax = 50;

const keyCharactersMax = 255;

/** The operation's key, as an argument. */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(keyCharactersMax)
  .optional()
  .describe("Any text that names this call: repeated with the same key within 24 hours, it takes effect only once");

/** Default and maximum length of an entry's strings in read_log, in characters. */
const clipDefault = 2000;
const clipMax = 20_000;

const runId = runs.getRun.params.pick({ agent_run_id: true }).shape;
const { skip, limit } = ListRunsQuery.shape;
const reading = { readOnly: true, destructive: false, idempotent: true, defaults: {}, charactersMax: 4000 };
const writing = { readOnly: false, destructive: false, idempotent: false, defaults: {}, charactersMax: 20_000 };

/** Every tool, in the order of clients' lists and the documentation. */
export const mcpTools: McpTool[] = [
  {
    ...writing,
    name: "start_run",
    title: "Start a run",
    description:
      "Starts a coding agent on a task in a repository. Returns the queued run at once; use wait_for_run to see how it ends. list_repositories and list_agents show the possible values of repo_id and agent.",
    operation: runs.createRun,
    input: CreateRun.pick({
      prompt: true,
      attachments: true,
      repo_id: true,
      agent: true,
      model: true,
      base_branch: true,
      permission_mode: true,
      metadata: true,
    }).extend({ idempotency_key: IdempotencyKey }),
  },
  {
    ...writing,
    name: "resume_run",
    title: "Add a turn to a run",
    description:
      "Gives a run another prompt. A run that has ended continues its agent's session; for a live run the prompt waits as its next turn.",
    operation: runs.resumeRun,
    input: ResumeRun.pick({
      agent_run_id: true,
      prompt: true,
      attachments: true,
      model: true,
      with_queue: true,
    }).extend({
      idempotency_key: IdempotencyKey,
    }),
  },
  {
    ...writing,
    name: "cancel_run",
    title: "Cancel a run",
    description:
      "Stops a run's agent and everything it started. Waiting turns are held. A run that has already ended stays as it is.",
    operation: runs.cancelRun,
    input: z.object(runId),
    destructive: true,
    idempotent: true,
  },
  {
    ...writing,
    name: "answer_question",
    title: "Answer a run's question",
    description:
      "Answers the question of a run in status waiting with one of its options. get_run shows the question with its id and options.",
    operation: runs.answerQuestion,
    input: z.object({ ...runId, ...AnswerQuestion.shape }),
  },
  {
    ...reading,
    name: "wait_for_run",
    title: "Wait for a run",
    description: `Waits until the run has ended or asks a question, at most ${waitSecondsMax} seconds, and returns the run. If it is still working then, call again.`,
    operation: runs.streamLogs,
    input: z.object({
      ...runId,
      seconds: WholeNumber(1, waitSecondsMax).optional().describe("How long to wait"),
    }),
    defaults: { seconds: waitSecondsMax },
    charactersMax: 20_000,
  },
  {
    ...reading,
    name: "get_run",
    title: "Get a run",
    description: "Status, result, question, changes and cost of a run.",
    operation: runs.getRun,
    input: z.object(runId),
    charactersMax: 20_000,
  },
  {
    ...reading,
    name: "list_runs",
    title: "List runs",
    description: "Runs of the organization, newest first unless `sort` says otherwise, with long texts cut.",
    operation: listRuns,
    input: ListRunsQuery.omit({ page: true, size: true, fields: true }),
    defaults: { limit: 20 },
    charactersMax: 500,
  },
  {
    ...reading,
    name: "read_log",
    title: "Read a run's log",
    description:
      "One page of what a run did, step by step, oldest first. Long strings are cut at `clip` characters and listed in `clipped`. Continue with skip.",
    operation: runs.getLogs,
    input: z.object({
      ...runId,
      ...runs.LogsQuery.shape,
      reverse: z.boolean().optional().describe("Newest first"),
      errors: z.boolean().optional().describe("Only errors"),
      prose: z.boolean().optional().describe("Only entries with prose: a thought, a message, an answer"),
      limit: WholeNumber(1, 100).optional(),
      clip: WholeNumber(1, clipMax).optional().describe("Cut strings inside entries at this many characters"),
    }),
    defaults: { limit: 30, clip: clipDefault },
    charactersMax: 20_000,
  },
  {
    ...reading,
    name: "search_runs",
    title: "Search all runs",
    description: "Runs in which a single entry contains all the words, newest first, with their best entries.",
    operation: searchRuns,
    input: SearchQuery.omit({ page: true, size: true }),
    defaults: { limit: 10 },
    charactersMax: 500,
  },
  {
    ...reading,
    name: "find_in_run",
    title: "Find text in a run",
    description:
      "Every entry of a run that contains a text exactly, ignoring case, with the words around it. read_log with skip = seq - 1 shows the entry.",
    operation: findInLogs,
    input: z.object({ ...runId, ...FindQuery.pick({ q: true, skip: true, limit: true, around_seq: true }).shape }),
  },
  {
    ...reading,
    name: "analyze",
    title: "See why a run ended as it did",
    description:
      "Findings about a run's log, by rules, without a model: how it ended and why, tests before and after, errors, repeated calls, slow calls, files. Every finding names the entries that prove it.",
    operation: getAnalysis,
    input: z.object(runId),
  },
  {
    ...reading,
    name: "get_diff",
    title: "Read a run's changes",
    description:
      "A unified diff of what a run changed, without the contents of binary files. Long ones are cut; read_file shows single files.",
    operation: work.getDiff,
    input: z.object({ ...runId, ...work.DiffQuery.pick({ since_turn: true }).shape }),
    defaults: { binary: false },
    charactersMax: 24_000,
  },
  {
    ...reading,
    name: "read_file",
    title: "Read a file of a run's work",
    description: "A file as a run left it, or as it was when a turn had ended.",
    operation: work.getWorkFile,
    input: z.object({ ...runId, ...work.WorkFileQuery.shape }),
    charactersMax: 24_000,
  },
  {
    ...writing,
    name: "push_run",
    title: "Push a run's branch",
    description: "Pushes a run's branch to the repository it came from. Other people's commits are never overwritten.",
    operation: pushRun,
    input: z.object(runId),
    idempotent: true,
  },
  {
    ...writing,
    name: "open_pull_request",
    title: "Open a run's pull request",
    description:
      "Checks and pushes a run's commits and opens a pull request, or brings it up to date. Returns at once: wait_for_run and get_run show what became of it.",
    operation: openPullRequest,
    input: z.object({ ...runId, ...OpenPullRequest.shape }),
    idempotent: true,
  },
  {
    ...reading,
    name: "list_queue",
    title: "List a run's waiting turns",
    description: "Turns of a run that have not started, in their order, and whether they are held.",
    operation: listQueue,
    input: z.object({ ...runId, skip, limit }),
    defaults: { limit: 20 },
  },
  {
    ...reading,
    name: "list_denials",
    title: "List a run's refused connections",
    description: "Hosts that a run's agent was not allowed to connect to, and why.",
    operation: listDenials,
    input: z.object(runId),
  },
  {
    ...reading,
    name: "get_setup",
    title: "Get a repository's setup commands",
    description: "Commands that prepare a repository's checkouts, and the proposal of new ones.",
    operation: getSetup,
    input: z.object(getSetup.params.pick({ repo_id: true }).shape),
  },
  {
    ...reading,
    name: "list_models",
    title: "List models",
    description: "Models that agents name; start_run takes others too.",
    operation: listModels,
    input: z.object({}),
    charactersMax: 1000,
  },
  {
    ...reading,
    name: "list_repositories",
    title: "List repositories",
    description: "Repositories that runs can work in, by name.",
    operation: listRepositories,
    input: listRepositories.query.pick({ q: true }).extend({ skip, limit }),
    defaults: { limit: 50 },
    charactersMax: 1000,
  },
  {
    ...reading,
    name: "list_agents",
    title: "List agents",
    description: "Agents that runs can name, ready ones first, and why the others are not ready.",
    operation: listAgents,
    input: z.object({}),
    charactersMax: 1000,
  },
];
