import { chooseOrganization, getSession } from "#lib/contract/people/own-organizations.ts";
import { signIn, signOut } from "#lib/contract/people/session.ts";
import { endpoint, publicEndpoint } from "#lib/http/endpoint.ts";
import * as own from "#lib/service/own-organizations.ts";
import * as sessions from "#lib/service/sessions.ts";

export const GET = endpoint(getSession, own.getSession);
export const POST = publicEndpoint(signIn, sessions.signIn);
export const PATCH = endpoint(chooseOrganization, own.chooseOrganization);
export const DELETE = publicEndpoint(signOut, sessions.signOut);
