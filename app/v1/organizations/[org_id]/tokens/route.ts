import { createToken, listTokens } from "#lib/contract/people/token.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as tokens from "#lib/service/tokens.ts";

export const GET = endpoint(listTokens, tokens.listTokens);
export const POST = endpoint(createToken, tokens.createToken);
