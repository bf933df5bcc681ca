import { endOtherSessions, listSessions } from "#lib/contract/people/profile.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as profile from "#lib/service/profile.ts";

export const GET = endpoint(listSessions, profile.listSessions);
export const DELETE = endpoint(endOtherSessions, profile.endOtherSessions);
