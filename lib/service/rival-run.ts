import { ApiError } from "#lib/contract/error.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * Refuses to continue a run while another one does the same work: 409 for an analysis while another one of the same run
 * is in progress, and for a generate run while another one of the same repository is. Any other run may continue.
 */
export async function refuseRival({ store, access }: OrganizationContext, runId: number): Promise<void> {
  const analysis = await store.analysisRuns.findRival(access, runId);
  if (analysis !== null) throw analyzedAlready(analysis);
  const generate = await store.generateRuns.findRival(access, runId);
  if (generate !== null) throw generatedAlready(generate);
}

/** The 409 for a second analysis of a run. */
export function analyzedAlready(runId: number): ApiError {
  return new ApiError("conflict", `Run ${runId} is already analyzing this run.`, { agentRunId: runId });
}

/** The 409 for a second generate run of a repository. */
export function generatedAlready(runId: number): ApiError {
  const detail = `Run ${runId} is already looking for the setup commands of this repository.`;
  return new ApiError("conflict", detail, { agentRunId: runId });
}
