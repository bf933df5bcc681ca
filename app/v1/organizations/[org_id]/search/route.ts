import { searchRuns } from "#lib/contract/logs/search.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as search from "#lib/service/search.ts";

export const GET = endpoint(searchRuns, search.searchRuns);
