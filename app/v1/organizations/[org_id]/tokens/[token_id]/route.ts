import { deleteToken } from "#lib/contract/people/token.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as tokens from "#lib/service/tokens.ts";

export const DELETE = endpoint(deleteToken, tokens.deleteToken);
