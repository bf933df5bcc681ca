import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import { noLogsForAnalysis } from "#lib/contract/logs/analysis.ts";
import type { AnalyzeLogs, AnalyzeLogsResult } from "#lib/contract/logs/analyze-logs.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { analysisAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Store } from "#lib/store/store.ts";
import { chooseAgent } from "./choose-agent.ts";
import { pageOf, presentRun, viewOf } from "./present-run.ts";
import { analyzedAlready } from "./rival-run.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * Starts a run that analyzes another one. 404 if that run is not visible, 400 if it has no entries or the agent cannot
 * be used, 409 with the id of an analysis already in progress.
 */
export async function analyzeLogs(
  context: OrganizationContext,
  { params, body }: { params: { agent_run_id: number }; body: AnalyzeLogs },
): Promise<AnalyzeLogsResult> {
  const { store, access } = context;
  const ofRunId = params.agent_run_id;
  if ((await store.runs.find(access, ofRunId)) === null) throw notFound("Agent run");
  const task = `Analyze the log of run #${ofRunId}.`;
  const done = await store.analysisRuns.create(
    access,
    ofRunId,
    {
      prompt: body?.prompt == null ? task : `${task}\n\n${body.prompt}`,
      images: [],
      model: body?.model ?? null,
      sourceType: context.caller.kind === "session" ? "CHAT" : "API",
      metadata: {},
      repositoryId: null,
      baseBranch: null,
      agent: await chooseAnalyst(body, store),
      permissionMode: "read-only",
    },
    (runId) => pageOf(context.publicUrl, runId),
  );
  if ("run" in done) {
    const { id, status } = presentRun(done.run, viewOf(context));
    return { agent_run_id: id, status, message: `Run #${id} analyzes the log of run #${ofRunId}.` };
  }
  switch (done.refused) {
    case "absent":
      throw notFound("Agent run");
    case "empty":
      throw new ApiError("bad_request", noLogsForAnalysis);
    case "busy":
      throw analyzedAlready(done.runId);
  }
}

/** {@link analyzeLogs} for clients that name the run's sandbox. */
export function analyzeSandboxLogs(
  context: OrganizationContext,
  { params, body }: { params: { sandbox_id: number }; body: AnalyzeLogs },
): Promise<AnalyzeLogsResult> {
  return analyzeLogs(context, { params: { agent_run_id: params.sandbox_id }, body });
}

async function chooseAnalyst(body: AnalyzeLogs, store: Pick<Store, "agents">): Promise<string> {
  const agent = body?.agent ?? analysisAgent;
  if (agent === analysisAgent) {
    const field = body?.model != null ? "model" : body?.prompt != null ? "prompt" : null;
    if (field === null) return agent;
    throw invalidField([field], "the built-in analysis has no model; name an agent that has one, or leave this out");
  }
  const chosen = await chooseAgent({ agent, model: body?.model ?? null }, store);
  const found: Agent | undefined = (await store.agents.list()).find(({ id }) => id === chosen);
  if (found?.has_model === true) return chosen;
  throw invalidField(["agent"], `${chosen} has no model; name an agent that has one, or leave it out`);
}
