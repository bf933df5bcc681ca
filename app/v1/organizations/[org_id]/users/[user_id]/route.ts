import { removeMember, updateMember } from "#lib/contract/people/member.ts";
import { getUser } from "#lib/contract/people/organization.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as members from "#lib/service/members.ts";
import * as organizations from "#lib/service/organizations.ts";

export const GET = endpoint(getUser, organizations.getUser);
export const PATCH = endpoint(updateMember, members.updateMember);
export const DELETE = endpoint(removeMember, members.removeMember);
