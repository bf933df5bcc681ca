import { createPasswordReset } from "#lib/contract/people/member.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as members from "#lib/service/members.ts";

export const POST = endpoint(createPasswordReset, members.createPasswordReset);
