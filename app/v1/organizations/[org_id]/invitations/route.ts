import { createInvitation, listInvitations } from "#lib/contract/people/invitation.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as invitations from "#lib/service/invitations.ts";

export const GET = endpoint(listInvitations, invitations.listInvitations);
export const POST = endpoint(createInvitation, invitations.createInvitation);
