import { getPasswordReset, resetPassword } from "#lib/contract/people/member.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as members from "#lib/service/members.ts";

export const GET = publicEndpoint(getPasswordReset, members.getPasswordReset);
export const POST = publicEndpoint(resetPassword, members.resetPassword);
