import { revokeOAuthToken } from "#lib/contract/integrations/oauth.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as oauth from "#lib/service/oauth.ts";

export const POST = endpoint(revokeOAuthToken, oauth.revokeOAuthToken);
