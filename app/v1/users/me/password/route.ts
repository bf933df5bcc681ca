import { changePassword } from "#lib/contract/people/profile.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as profile from "#lib/service/profile.ts";

export const PUT = endpoint(changePassword, profile.changePassword);
