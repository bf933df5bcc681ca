import { startOidc } from "#lib/contract/oidc.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as oidc from "#lib/service/oidc.ts";

export const POST = publicEndpoint(startOidc, oidc.startOidc);
