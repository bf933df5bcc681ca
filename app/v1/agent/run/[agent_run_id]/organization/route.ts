import { findRunOrganization } from "#lib/contract/people/own-organizations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as own from "#lib/service/own-organizations.ts";

export const GET = endpoint(findRunOrganization, own.findRunOrganization);
