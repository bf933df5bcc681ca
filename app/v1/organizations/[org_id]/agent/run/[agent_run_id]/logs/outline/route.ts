import { getOutline } from "#lib/contract/logs/outline.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as outline from "#lib/service/outline.ts";

export const GET = endpoint(getOutline, outline.getOutline);
