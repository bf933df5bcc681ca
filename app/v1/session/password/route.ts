import { signInWithPassword } from "#lib/contract/people/session.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as sessions from "#lib/service/sessions.ts";

export const POST = publicEndpoint(signInWithPassword, sessions.signInWithPassword);
