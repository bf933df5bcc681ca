import { z } from "zod";
import { defineOperation, Id, OrgParams, RunParams } from "#lib/contract/define-operation.ts";
import { FilledText } from "#lib/contract/text.ts";

/** Maximum length of a question to the agent, in UTF-16 units. */
export const analysisPromptMax = 10_000;

/** Request body of `POST …/analyze-logs`. The reference service's clients send none. */
export const AnalyzeLogs = z
  .strictObject({
    agent: FilledText(64)
      .nullish()
      .describe("An agent with a model. If left out, the built-in analysis works by rules, without a model"),
    model: FilledText(200).nullish().describe("Model of that agent"),
    prompt: FilledText(analysisPromptMax).nullish().describe("What to look into; only with an agent that has a model"),
  })
  .optional();
z.globalRegistry.add(AnalyzeLogs, { example: { agent: "claude", prompt: "Why did the tests fail?" } });
export type AnalyzeLogs = z.infer<typeof AnalyzeLogs>;

/** The analyzing run, in the reference service's shape. */
export const AnalyzeLogsResult = z.object({
  agent_run_id: z.int().describe("The new run, which does the analysis; its answer is the result").meta({ example: 2 }),
  status: z.string().describe("The new run's status").meta({ example: "queued" }),
  message: z.string().describe("The outcome in words").meta({ example: "Run 2 analyzes the log of run 1." }),
});
export type AnalyzeLogsResult = z.infer<typeof AnalyzeLogsResult>;

/** Direction of an AGENT_RUN_LINK between an analysis and its run. */
export const AnalysisRelation = z.enum(["analysis_of", "analysed_by"]);
export type AnalysisRelation = z.infer<typeof AnalysisRelation>;

/** Observation of an AGENT_RUN_LINK between an analysis and its run. */
export const AnalysisLink = z.object({
  agent_run_id: z.int().describe("The other run"),
  relation: AnalysisRelation,
  web_url: z.string(),
});
export type AnalysisLink = z.infer<typeof AnalysisLink>;

const shared = {
  scope: "runs:write",
  act: "analyze",
  rateClass: "analysis",
  idempotent: "once",
  body: AnalyzeLogs,
  result: AnalyzeLogsResult,
} as const;

const what =
  "Starts a new run that analyzes the log of another one; the body is optional. The built-in analysis works by rules. A named agent gets the log as read-only files, and each claim in its answer must quote existing steps; claims that do not are removed and counted. Both runs get an AGENT_RUN_LINK entry, the analyzed one at its end if it is live. A live run is analyzed as far as it has got. A run without entries gives 400. While another analysis of the run is in progress, the answer is 409 with its `agent_run_id`. The new run's source_type is the one that any run of the caller has: API or CHAT. The agent is isolated like that of any other run; behind the wall it reaches its own hosts only.";

export const analyzeLogs = defineOperation({
  ...shared,
  id: "analyzeLogs",
  summary: "Analyze a run's log",
  description: what,
  params: RunParams,
});

export const analyzeSandboxLogs = defineOperation({
  ...shared,
  id: "analyzeSandboxLogs",
  isReference: true,
  summary: "Analyze a run's log (older clients)",
  description: `The same as \`POST …/agent/run/{agent_run_id}/analyze-logs\`: each run has one sandbox, whose id is the run's. ${what}`,
  params: OrgParams.extend({ sandbox_id: Id.describe("The run: a sandbox has its run's id") }),
});
