import { exportRun } from "#lib/contract/logs/export.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as exports from "#lib/service/export.ts";

export const GET = endpoint(exportRun, exports.exportRun);
