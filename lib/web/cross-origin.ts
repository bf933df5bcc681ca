import type { IncomingMessage } from "node:http";
import type { Answer } from "#lib/http/answer.ts";

/** What pages of other origins may use: operations that need a token or a link, none that starts a session. */
const paths = /^\/v1\/(?:(?:alpha\/|beta\/)?organizations(?:\/|$)|users\/me\/?$|openapi\.json\/?$|shares\/)/;

const exposed = [
  ...[
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
  ],
  ...["X-Errand-Ignored", "X-Errand-Stability", "X-Request-Id"],
].join(", ");
const sendable = [
  ...["Accept", "Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
  ...["Last-Event-ID", "X-Request-Id"],
].join(", ");
const rememberedSeconds = "600";

/**
 * Lets pages of these origins read responses of the API (https://fetch.spec.whatwg.org/#http-cors-protocol), with a token only: a
 * cookie of the dashboard does not count there. An empty list changes nothing.
 */
export function crossOrigin(origins: readonly string[]) {
  const allowed = new Set(origins);
  return {
    /** The origin if it is allowed for this request, whose cookie is then dropped; null for all others. */
    admit(request: IncomingMessage, path: string): string | null {
      const { origin } = request.headers;
      if (origin === undefined || !allowed.has(origin) || !paths.test(path)) return null;
      delete request.headers.cookie;
      return origin;
    },

    /** The response with what a browser needs to give it to a page of that origin. */
    mark(answer: Answer, origin: string | null, request: IncomingMessage, path: string): Answer {
      if (allowed.size === 0 || !paths.test(path)) return answer;
      const vary = [answer.headers.vary, "origin"].filter((name) => name !== undefined).join(", ");
      if (origin === null) return { ...answer, headers: { ...answer.headers, vary } };
      const isPreflight =
        request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
      const asked: Record<string, string> = isPreflight
        ? {
            "access-control-allow-methods": answer.headers.allow ?? "",
            "access-control-allow-headers": sendable,
            "access-control-max-age": rememberedSeconds,
          }
        : { "access-control-expose-headers": exposed };
      return {
        ...answer,
        headers: {
          ...answer.headers,
          ...asked,
          "access-control-allow-origin": origin,
          "cross-origin-resource-policy": "cross-origin",
          vary,
        },
      };
    },
  };
}
