import { listAudit } from "#lib/contract/people/audit.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as audit from "#lib/service/audit-log.ts";

export const GET = endpoint(listAudit, audit.listAudit);
