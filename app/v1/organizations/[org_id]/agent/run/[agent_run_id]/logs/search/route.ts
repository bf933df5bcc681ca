import { findInLogs } from "#lib/contract/logs/find.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as find from "#lib/service/find.ts";

export const GET = endpoint(findInLogs, find.findInLogs);
