import { deleteLink } from "#lib/contract/integrations/link.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as links from "#lib/service/links.ts";

export const DELETE = endpoint(deleteLink, links.deleteLink);
