import { acceptInvitation } from "#lib/contract/people/invitation.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as invitations from "#lib/service/invitations.ts";

export const POST = publicEndpoint(acceptInvitation, invitations.acceptInvitation);
