import { ApiError } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { type Analysis, noLogsForAnalysis } from "#lib/contract/logs/analysis.ts";
import { analysisVersion } from "#lib/contract/logs/analysis-bounds.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { RunRow } from "#lib/store/store.ts";
import { passOverFullDisk } from "#lib/store/store-error.ts";
import { statusWord } from "./present-run.ts";
import { pieceOf, StoredJson } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * Milliseconds a request waits for the analysis of a long run before it takes a partial one; the response is due within
 * 1 s.
 */
const waitMs = 400;

/** Analysis of a run's log, as far as it was read in time. */
export async function getAnalysis(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number } },
): Promise<StoredJson> {
  const run = await findRun(context, params.agent_run_id);
  const { body, isWhole } = await analysisOf(context, run, waitMs);
  const style = context.caller.statusStyle;
  const words = style === "errand" ? body : withStatus(body, statusWord(run.status, style));
  return new StoredJson(isWhole ? `${validatorOf(run)}-${style}` : null, async () => pieceOf(words));
}

/**
 * Analysis of a run already found with this access, as JSON text (the contract names its fields). `isWhole` is true if
 * it covers all entries the run had. Throws bad_request for a run without entries. The analysis of an ended run is made
 * once and kept, unless the disk is full.
 */
export async function analysisOf(
  { store, analyst, access }: Pick<OrganizationContext, "store" | "analyst" | "access">,
  run: Pick<RunRow, "id" | "status" | "totalLogs">,
  msMax: number,
): Promise<{ body: string; isWhole: boolean }> {
  const { id, status, totalLogs } = run;
  if (totalLogs === 0) throw new ApiError("bad_request", noLogsForAnalysis);
  const kept = isEnd(status) ? await store.analyses.find(access, id) : null;
  if (kept?.totalLogs === totalLogs && kept.version === analysisVersion && kept.status === status) {
    return { body: kept.body, isWhole: true };
  }
  const said = await analyst.analyse({ id, status, totalLogs }, msMax);
  if (said.isWhole && isEnd(status)) {
    const analysis = { totalLogs, version: analysisVersion, status, body: said.body };
    await store.analyses.keep(access, id, analysis).catch(passOverFullDisk);
  }
  return said;
}

/** Analysis as JSON text, with another word for the run's status. */
function withStatus(body: string, status: string): string {
  const analysis = parseExactJson(body) as Analysis;
  return JSON.stringify({ ...analysis, outcome: { ...analysis.outcome, status } });
}

/**
 * ETag that stays valid as long as the response: entries never change, so an analysis of all of them does not either. A restored
 * store gives ids again, but not at the same time.
 */
function validatorOf({ id, createdAt, status, totalLogs }: RunRow): string {
  return `analysis-${analysisVersion}-${id}-${Date.parse(createdAt)}-${totalLogs}-${status}`;
}
