import { listUsers } from "#lib/contract/people/organization.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as organizations from "#lib/service/organizations.ts";

export const GET = endpoint(listUsers, organizations.listUsers);
