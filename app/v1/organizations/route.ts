import { listOrganizations } from "#lib/contract/people/organization.ts";
import { createOrganization } from "#lib/contract/people/own-organizations.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as organizations from "#lib/service/organizations.ts";
import * as own from "#lib/service/own-organizations.ts";

export const GET = endpoint(listOrganizations, organizations.listOrganizations);
export const POST = endpoint(createOrganization, own.createOrganization);
