import { signIn, signOut } from "#lib/contract/session.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as sessions from "#lib/service/sessions.ts";

export const POST = publicEndpoint(signIn, sessions.signIn);
export const DELETE = publicEndpoint(signOut, sessions.signOut);
