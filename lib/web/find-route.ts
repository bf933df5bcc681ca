import { ApiError } from "#lib/contract/error.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import type { Route, RouteNode } from "./route-tree.ts";

/** Destination of a request: an endpoint with its path parameters, or a response that lists the methods. */
export type Destination =
  | { kind: "endpoint"; endpoint: Endpoint; params: Record<string, string> }
  | { kind: "methods"; allow: string };

/**
 * Destination of an API path. Throws 400 for an invalid escape, 404 for an unknown path and 405 with Allow for an unsupported
 * method. A trailing slash makes no difference.
 */
export function findDestination(tree: RouteNode, method: string, path: string): Destination {
  const found = findRoute(tree, path);
  if (found === null) throw new ApiError("not_found", `There is nothing at ${shortened(path)}.`);
  const endpoint = found.route.get(method === "HEAD" ? "GET" : method);
  if (endpoint !== undefined) return { kind: "endpoint", endpoint, params: found.params };
  const allow = allowed(found.route);
  if (method === "OPTIONS") return { kind: "methods", allow };
  throw new ApiError("method_not_allowed", `This path takes ${allow}.`, { headers: { allow } });
}

function findRoute(tree: RouteNode, path: string): { route: Route; params: Record<string, string> } | null {
  const params: Record<string, string> = {};
  let node = tree;
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start);
    const stop = slash === -1 || slash > end ? end : slash;
    const segment = decodeSegment(path.slice(start, stop));
    start = stop + 1;
    const child = node.children.get(segment);
    if (child !== undefined) node = child;
    else if (node.parameter !== null && segment !== "") {
      params[node.parameter.name] = segment;
      node = node.parameter.node;
    } else return null;
  }
  return node.route === null ? null : { route: node.route, params };
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    const msg = "The path has a percent sign that is not a valid escape.";
    throw new ApiError("bad_request", msg, { fields: [{ loc: ["path"], msg, type: "path_invalid" }], cause });
  }
}

function allowed(route: Route): string {
  const methods = [...route.keys()];
  if (route.has("GET")) methods.push("HEAD");
  return [...methods, "OPTIONS"].join(", ");
}

function shortened(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}
