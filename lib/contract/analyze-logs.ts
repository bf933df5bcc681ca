import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { FilledText } from "./text.ts";

/** The most characters of a question to the agent, in UTF-16 units. */
export const analysisPromptMax = 10_000;

/** Request body of `POST …/analyze-logs`. The reference service's clients send none. */
export const AnalyzeLogs = z
  .strictObject({
    agent: FilledText(64)
      .nullish()
      .describe("An agent with a model. Left out, the built-in analysis works by rules, without a model"),
    model: FilledText(200).nullish().describe("A model of that agent"),
    prompt: FilledText(analysisPromptMax).nullish().describe("What to look at; only with an agent that has a model"),
  })
  .optional();
export type AnalyzeLogs = z.infer<typeof AnalyzeLogs>;

/** The run that analyzes, in the reference service's shape. */
export const AnalyzeLogsResult = z.object({
  agent_run_id: z.int().describe("The new run, which analyzes; its answer is the result"),
  status: z.string().describe("The new run's status"),
  message: z.string().describe("The same in words"),
});
export type AnalyzeLogsResult = z.infer<typeof AnalyzeLogsResult>;

/** Which way an AGENT_RUN_LINK between an analysis and its run points. */
export const AnalysisRelation = z.enum(["analysis_of", "analysed_by"]);
export type AnalysisRelation = z.infer<typeof AnalysisRelation>;

/** The observation of an AGENT_RUN_LINK between an analysis and the run that it is about. */
export const AnalysisLink = z.object({
  agent_run_id: z.int().describe("The other run"),
  relation: AnalysisRelation,
  web_url: z.string(),
});
export type AnalysisLink = z.infer<typeof AnalysisLink>;

const shared = {
  method: "POST",
  tag: "Agent runs",
  scope: "runs:write",
  act: "analyze",
  rateClass: "analysis",
  idempotent: true,
  body: AnalyzeLogs,
  result: AnalyzeLogsResult,
} as const;

const what =
  "Starts a run of its own that analyzes the log of another one; the body may be left out. The built-in analysis works by rules; a named agent gets the log as files, read-only, and each claim of its answer must quote steps that exist: claims that do not are removed and counted. Both runs get an AGENT_RUN_LINK entry, the analyzed one at its end if it is live. A live run is analyzed as far as it has come. A run without entries is 400. While one analysis of the run is at work another one is 409, with its `agent_run_id`. Its source_type is that of any run of the caller, API or CHAT. Until agents are isolated, the agent runs with the rights of the service.";

export const analyzeLogs = defineOperation({
  ...shared,
  id: "analyzeLogs",
  path: `${O}/agent/run/{agent_run_id}/analyze-logs`,
  summary: "Analyze a run's log",
  description: what,
  params: OrgParams.extend({ agent_run_id: Id }),
});

export const analyzeSandboxLogs = defineOperation({
  ...shared,
  id: "analyzeSandboxLogs",
  path: `${O}/sandbox/{sandbox_id}/analyze-logs`,
  summary: "Analyze a run's log (older clients)",
  description: `The same as \`POST …/agent/run/{agent_run_id}/analyze-logs\`: each run has one sandbox, whose id is the run's. ${what}`,
  params: OrgParams.extend({ sandbox_id: Id }),
});
