import { deleteInvitation } from "#lib/contract/people/invitation.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as invitations from "#lib/service/invitations.ts";

export const DELETE = endpoint(deleteInvitation, invitations.deleteInvitation);
