import { getMe } from "#lib/contract/people/organization.ts";
import { updateMe } from "#lib/contract/people/profile.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as organizations from "#lib/service/organizations.ts";
import * as profile from "#lib/service/profile.ts";

export const GET = endpoint(getMe, organizations.getMe);
export const PATCH = endpoint(updateMe, profile.updateMe);
