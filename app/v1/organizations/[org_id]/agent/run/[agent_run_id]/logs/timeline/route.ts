import { getTimeline } from "#lib/contract/logs/timeline.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as timeline from "#lib/service/timeline.ts";

export const GET = endpoint(getTimeline, timeline.getTimeline);
