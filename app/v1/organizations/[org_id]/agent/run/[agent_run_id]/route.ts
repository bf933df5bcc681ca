import { updateRun } from "#lib/contract/logs/ingest.ts";
import { deleteRun, getRun } from "#lib/contract/runs/run-operations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as deletions from "#lib/service/delete-run.ts";
import * as external from "#lib/service/external-runs.ts";
import * as runs from "#lib/service/runs.ts";

export const GET = endpoint(getRun, runs.getRun);
export const PATCH = endpoint(updateRun, external.updateRun);
export const DELETE = endpoint(deleteRun, deletions.deleteRun);
