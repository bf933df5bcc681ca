import { getAnalysis } from "#lib/contract/logs/analysis.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as analyses from "#lib/service/analyses.ts";

export const GET = endpoint(getAnalysis, analyses.getAnalysis);
