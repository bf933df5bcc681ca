import { listOAuthTokens } from "#lib/contract/integrations/oauth.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as oauth from "#lib/service/oauth.ts";

export const GET = endpoint(listOAuthTokens, oauth.listOAuthTokens);
