import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import type { AnyOperation } from "./operation.ts";
import { skipMax } from "./page.ts";
import { CreateRun, ResumeRun } from "./run.ts";
import { cancelRun, createRun, getLogs, getRun, listRuns, resumeRun } from "./run-operations.ts";
import { searchRuns } from "./search.ts";
import { FilledText, JsonObject, Text } from "./text.ts";

/** Something that POST tools/execute does: a call of its operation, with the same rights and limits. */
export type Tool = { description: string; operation: AnyOperation; input: z.ZodObject };

const Run = z.object({ agent_run_id: z.int().min(1) });
const rows = { skip: z.int().min(0).max(skipMax).optional(), limit: z.int().min(1).max(100).optional() };

/** Every tool by its name, with what it takes. */
export const tools = {
  start_run: {
    description: "Start a run of a coding agent; answers at once with the queued run.",
    operation: createRun,
    input: CreateRun.pick({ prompt: true, repo_id: true, agent: true, model: true, base_branch: true }),
  },
  resume_run: {
    description: "Give a run one more message; one that has ended goes on.",
    operation: resumeRun,
    input: ResumeRun.pick({ agent_run_id: true, prompt: true, model: true }),
  },
  cancel_run: { description: "Stop a run and all that it started.", operation: cancelRun, input: Run },
  get_run: { description: "Get a run: its status, result, changes and cost.", operation: getRun, input: Run },
  list_runs: {
    description: "List runs, newest first.",
    operation: listRuns,
    input: z.object({
      status: Text(200).optional().describe("One status, or several separated by commas"),
      repo_id: z.int().min(1).optional(),
      q: Text(200).optional().describe("Text in the prompt, any case"),
      ...rows,
    }),
  },
  read_log: {
    description: "Read one page of a run's log, oldest first; long texts inside entries are cut.",
    operation: getLogs,
    input: Run.extend({ reverse: z.boolean().optional().describe("The newest first"), ...rows }),
  },
  search_runs: {
    description: "Find runs in which one entry holds all the words.",
    operation: searchRuns,
    input: z.object({ q: FilledText(200), ...rows }),
  },
} as const satisfies Record<string, Tool>;
export type ToolName = keyof typeof tools;
export const ToolName = z.enum(Object.keys(tools) as [ToolName, ...ToolName[]]);

export const listTools = defineOperation({
  id: "listTools",
  method: "GET",
  path: `${O}/tools`,
  tag: "Tools",
  summary: "List what POST tools/execute can do",
  scope: "org:read",
  params: OrgParams,
  result: z.object({
    tools: z
      .array(
        z.object({
          name: z.string().describe("Name, for `tool_name` of POST tools/execute"),
          description: z.string().describe("Purpose of the tool, for a model"),
          parameters: JsonObject.describe("What the tool takes, as JSON Schema"),
        }),
      )
      .describe("Every tool"),
    total_count: z.int().describe("How many there are"),
  }),
});

/** Request body of `POST tools/execute`. */
export const ExecuteTool = z
  .object({
    tool_name: ToolName.describe("One of GET tools"),
    arguments: JsonObject.nullish().describe("As the tool's parameters say"),
    repo_id: z.int().min(1).nullish().describe("The repository of a run that is started without one"),
  })
  .superRefine((body, context) => {
    const { shape } = tools[body.tool_name].input;
    const given = body.arguments ?? {};
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(shape, name)) continue;
      const message = `is not known; ${body.tool_name} takes ${Object.keys(shape).join(", ")}`;
      context.addIssue({ code: "custom", message, path: ["arguments", name] });
    }
    for (const issue of tools[body.tool_name].input.safeParse(given).error?.issues ?? []) {
      const [name = ""] = issue.path;
      const message = Object.hasOwn(given, name) ? issue.message : "is required";
      context.addIssue({ code: "custom", message, path: ["arguments", ...issue.path] });
    }
  });
export type ExecuteTool = z.infer<typeof ExecuteTool>;

export const executeTool = defineOperation({
  id: "executeTool",
  method: "POST",
  path: `${O}/tools/execute`,
  tag: "Tools",
  summary: "Call an operation by its tool's name",
  description:
    "Limited and allowed as the operation that the tool calls: start_run counts as POST run. What that operation refuses is told in `error`, with `success` false.",
  scope: "runs:write",
  chargedAs: (body) => {
    const name = ToolName.safeParse(Object(body).tool_name);
    return name.success ? tools[name.data].operation.rateClass : "standard";
  },
  params: OrgParams,
  body: ExecuteTool,
  result: z.object({
    success: z.boolean().describe("The operation succeeded"),
    result: z.unknown().describe("What the operation answers; null where it refused"),
    error: z.string().nullable().describe("Detail of the operation's refusal; null where it succeeded"),
    tool_name: z.string().describe("The tool that was called"),
    execution_time_ms: z.int().describe("How long it took, in milliseconds"),
  }),
});
