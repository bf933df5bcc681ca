import { type ExportFormat, exportRun } from "#lib/contract/export.ts";
import { fillPath, queryString } from "./request-path.ts";

/** The address at which a browser that is signed in downloads a run. */
export function exportPath(orgId: number, runId: number, format: ExportFormat): string {
  return fillPath(exportRun.path, { org_id: orgId, agent_run_id: runId }) + queryString({ format });
}
