import { listLinks, putLink } from "#lib/contract/integrations/link.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as links from "#lib/service/links.ts";

export const GET = endpoint(listLinks, links.listLinks);
export const PUT = endpoint(putLink, links.putLink);
