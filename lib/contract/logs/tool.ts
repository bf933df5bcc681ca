import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { CreateRun, ResumeRun } from "#lib/contract/runs/run.ts";
import { listRuns } from "#lib/contract/runs/run-list.ts";
import { cancelRun, createRun, getLogs, getRun, resumeRun } from "#lib/contract/runs/run-operations.ts";
import { FilledText, JsonObject, Text } from "#lib/contract/text.ts";
import { searchRuns } from "./search.ts";

/** A tool of POST tools/execute: calls its operation, with the same rights and limits. */
export type Tool = { description: string; operation: AnyOperation; input: z.ZodObject };

const Run = z.object({ agent_run_id: z.int().min(1) });
const rows = { skip: z.int().min(0).max(skipMax).optional(), limit: z.int().min(1).max(100).optional() };

/** Every tool by name, with its parameters. */
export const tools = {
  start_run: {
    description: "Start a run of a coding agent; returns the queued run at once.",
    operation: createRun,
    input: CreateRun.pick({ prompt: true, repo_id: true, agent: true, model: true, base_branch: true }),
  },
  resume_run: {
    description: "Send a run another message; one that has ended continues.",
    operation: resumeRun,
    input: ResumeRun.pick({ agent_run_id: true, prompt: true, model: true }),
  },
  cancel_run: { description: "Stop a run and everything it started.", operation: cancelRun, input: Run },
  get_run: { description: "Get a run: its status, result, changes and cost.", operation: getRun, input: Run },
  list_runs: {
    description: "List runs, newest first.",
    operation: listRuns,
    input: z.object({
      status: Text(200).optional().describe("One status, or several separated by commas"),
      repo_id: z.int().min(1).optional(),
      q: Text(200).optional().describe("Text in the prompt, ignoring case"),
      ...rows,
    }),
  },
  read_log: {
    description: "Read one page of a run's log, oldest first; long texts inside entries are cut.",
    operation: getLogs,
    input: Run.extend({ reverse: z.boolean().optional().describe("Newest first"), ...rows }),
  },
  search_runs: {
    description: "Find runs in which a single entry contains all the words.",
    operation: searchRuns,
    input: z.object({ q: FilledText(200), ...rows }),
  },
} as const satisfies Record<string, Tool>;
export type ToolName = keyof typeof tools;
export const ToolName = z.enum(Object.keys(tools) as [ToolName, ...ToolName[]]);

export const listTools = defineOperation({
  id: "listTools",
  summary: "List the tools of POST tools/execute",
  scope: "org:read",
  params: OrgParams,
  result: z.object({
    tools: z
      .array(
        z.object({
          name: z.string().describe("Name, for `tool_name` of POST tools/execute").meta({ example: "Bash" }),
          description: z
            .string()
            .describe("Purpose of the tool, for a model")
            .meta({ example: "Get a run: its status, result, changes and cost." }),
          parameters: JsonObject.describe("Parameters of the tool, as JSON Schema").meta({
            example: { type: "object", properties: { agent_run_id: { type: "integer" } }, required: ["agent_run_id"] },
          }),
        }),
      )
      .describe("Every tool"),
    total_count: z.int().describe("Number of tools"),
  }),
});

/** Request body of `POST tools/execute`. */
export const ExecuteTool = z
  .object({
    tool_name: ToolName.describe("One of GET tools"),
    arguments: JsonObject.nullish().describe("Parameters of the tool"),
    repo_id: z.int().min(1).nullish().describe("Repository for a run that is started without one"),
  })
  .superRefine((body, context) => {
    const { shape } = tools[body.tool_name].input;
    const given = body.arguments ?? {};
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(shape, name)) continue;
      const message = `is unknown; ${body.tool_name} takes ${Object.keys(shape).join(", ")}`;
      context.addIssue({ code: "custom", message, path: ["arguments", name] });
    }
    for (const issue of tools[body.tool_name].input.safeParse(given).error?.issues ?? []) {
      const [name = ""] = issue.path;
      const message = Object.hasOwn(given, name) ? issue.message : "is required";
      context.addIssue({ code: "custom", message, path: ["arguments", ...issue.path] });
    }
  });
z.globalRegistry.add(ExecuteTool, { example: { arguments: { prompt: "Fix the failing test" }, repo_id: 1 } });
export type ExecuteTool = z.infer<typeof ExecuteTool>;

export const executeTool = defineOperation({
  id: "executeTool",
  summary: "Call an operation by its tool's name",
  description:
    "The rights and limits of the operation that the tool calls apply: start_run counts as POST run. If that operation fails, `error` says why and `success` is false.",
  scope: "runs:write",
  chargedAs: (body) => {
    const name = ToolName.safeParse(Object(body).tool_name);
    return name.success ? tools[name.data].operation.rateClass : "standard";
  },
  params: OrgParams,
  body: ExecuteTool,
  result: z
    .object({
      success: z.boolean().describe("Whether the operation succeeded"),
      result: z.unknown().describe("Response of the operation; null if it failed"),
      error: z.string().nullable().describe("Detail of the operation's error; null if it succeeded"),
      tool_name: z.string().describe("The tool that was called"),
      execution_time_ms: z.int().describe("How long it took, in milliseconds"),
    })
    .meta({ example: { result: { id: 1, status: "completed" }, tool_name: "get_run", execution_time_ms: 4 } }),
  idempotent: "once",
  hasEffect: (body) => tools[(body as ExecuteTool).tool_name].operation.idempotent === "once",
});
