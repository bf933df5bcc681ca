import { startOidc } from "#lib/contract/people/oidc.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as oidc from "#lib/service/oidc.ts";

export const POST = publicEndpoint(startOidc, oidc.startOidc);
