import { getInvitation } from "#lib/contract/people/invitation.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as invitations from "#lib/service/invitations.ts";

export const GET = publicEndpoint(getInvitation, invitations.getInvitation);
