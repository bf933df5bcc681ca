import { finishOidc, getOidc } from "#lib/contract/people/oidc.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as oidc from "#lib/service/oidc.ts";

export const GET = publicEndpoint(getOidc, oidc.getOidc);
export const POST = publicEndpoint(finishOidc, oidc.finishOidc);
