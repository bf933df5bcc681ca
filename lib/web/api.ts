import { ApiError } from "#lib/contract/error.ts";
import { type Answer, toResponse } from "#lib/http/answer.ts";
import { type Call, callOf } from "#lib/http/call.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import type { WebMetrics } from "#lib/metrics/web-metrics.ts";
import { findDestination } from "./find-route.ts";
import { type RouteNode, readRouteTree } from "./route-tree.ts";

/** The API without a server: call in, response out. Never throws. */
export type Api = (call: Call) => Promise<Answer>;

/** Reads the routes below `appDir` and serves them; `metrics` counts the responses. */
export async function openApi(appDir: string, metrics: WebMetrics | null = null): Promise<Api> {
  const tree = await readRouteTree(appDir);
  return (call) => answer(tree, call, metrics);
}

/** The API for fetch Requests of this process. */
export function dispatchOver(api: Api): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await api(callOf(request)), request.method);
}

/** True for a path that belongs to the API, whether or not it exists. */
export function isApiPath(path: string): boolean {
  return path.startsWith("/v1/") || path === "/v1" || path === "/healthz" || path === "/readyz";
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

async function answer(tree: RouteNode, call: Call, metrics: WebMetrics | null): Promise<Answer> {
  try {
    const destination = findDestination(tree, call.method, pathOf(call.target));
    if (destination.kind === "endpoint") {
      const { endpoint, params } = destination;
      const answering = endpoint.answer(call, params);
      return await (metrics === null ? answering : metrics.measure(endpoint.operation.rateClass, answering));
    }
    const requestId = requestIdOf(call.header("x-request-id"));
    return { status: 204, headers: { allow: destination.allow, "x-request-id": requestId }, body: null };
  } catch (error) {
    // An unknown path, or an unsupported method.
    const known = error instanceof ApiError ? error : new ApiError("internal", "Something went wrong.");
    metrics?.count("none", known.status, 0);
    return problemAnswer(known, call.target, requestIdOf(call.header("x-request-id")));
  }
}
