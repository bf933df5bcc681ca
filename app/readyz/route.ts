import { getReadiness } from "#lib/contract/service-operations.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as description from "#lib/service/description.ts";

export const GET = publicEndpoint(getReadiness, description.getReadiness);
