import { getCliRules } from "#lib/contract/people/organization-settings.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as settings from "#lib/service/organization-settings.ts";

export const GET = endpoint(getCliRules, settings.getCliRules);
