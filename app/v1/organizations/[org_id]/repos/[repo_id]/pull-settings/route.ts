import { getPullSettings, putPullSettings } from "#lib/contract/repositories/pull-settings.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as settings from "#lib/service/pull-settings.ts";

export const GET = endpoint(getPullSettings, settings.getPullSettings);
export const PUT = endpoint(putPullSettings, settings.putPullSettings);
