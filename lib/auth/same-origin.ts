import { ApiError } from "#lib/contract/error.ts";
import type { Credentials } from "./credentials.ts";

const refusal = "This request comes from another site. Open the dashboard itself and try again.";

/**
 * Refuses with 403 requests that a foreign page makes a signed-in browser send: an unsafe method with a cookie must show that
 * it comes from the dashboard's own origin, by Sec-Fetch-Site or by Origin (https://www.w3.org/TR/fetch-metadata/).
 */
export function requireSameOrigin(request: Credentials, publicUrl: string): void {
  if (isSafe(request.method)) return;
  const site = request.header("sec-fetch-site");
  if (site !== null ? site === "same-origin" || site === "none" : hasOwnOrigin(request, publicUrl)) return;
  throw new ApiError("forbidden", refusal);
}

/** The same for requests without credentials: refused only if the browser says that another site sent them. */
export function refuseCrossSite(request: Credentials, publicUrl: string): void {
  if (request.header("sec-fetch-site") === null && request.header("origin") === null) return;
  requireSameOrigin(request, publicUrl);
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function hasOwnOrigin(request: Credentials, publicUrl: string): boolean {
  const origin = request.header("origin");
  if (origin === null) return false;
  return origin === publicUrl || URL.parse(origin)?.host === request.header("host");
}
