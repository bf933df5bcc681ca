import { z } from "zod";
import type { ErrorCode } from "#lib/contract/error.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { rateHeaders } from "./openapi-rates.ts";

type Json = Record<string, unknown>;

/** Headers of a deprecated operation's responses. */
const deprecationHeaders = {
  Deprecation: {
    description: "When the operation was deprecated: @ and seconds since 1970 (RFC 9745)",
    schema: { type: "string", pattern: "^@\\d+$" },
  },
  Sunset: {
    description: "When the operation may stop working: an HTTP date (RFC 8594)",
    schema: { type: "string" },
  },
};

/** Headers of every other response. */
const headers = {
  "X-Request-Id": {
    description: "The request's id, as in the server's log; the client's own if it sent one",
    schema: { type: "string", pattern: "^[\\w.-]{1,64}$" },
  },
  "X-Errand-Stability": {
    description: "alpha: the operation may change after 30 days' notice",
    schema: { type: "string", const: "alpha" },
  },
  ETag: {
    description:
      "Identifies this version of the response: send it as If-None-Match to get the response only if it has changed, or as If-Match, with or without W/, with a change that is to be made only if it has not",
    schema: { type: "string", pattern: '^W/"[^"]+"$' },
  },
  "Idempotency-Replayed": {
    description:
      "Sent to a request with an Idempotency-Key: true if the response is that of an earlier one with the same key",
    schema: { type: "string", enum: ["true", "false"] },
  },
  Link: {
    description:
      'The next page of a list of `items`, if there is one: rel="next". Of a deprecated operation, also the page that says what to do instead: rel="deprecation"',
    schema: { type: "string" },
  },
  "X-Errand-Ignored": {
    description: "Names of parameters and fields that the operation does not know and ignored",
    schema: { type: "string" },
  },
  "Set-Cookie": {
    description: "Starts or ends a browser session",
    schema: { type: "string" },
  },
  ...rateHeaders,
};

/** components/headers: those used by responses of these operations. */
export function describeHeaders(operations: readonly AnyOperation[]): Json {
  return operations.some(({ deprecated }) => deprecated !== null) ? { ...headers, ...deprecationHeaders } : headers;
}

/** Whether a client may cache the response and revalidate it. */
export function isKeepable({ tagged, method }: AnyOperation): boolean {
  return method === "GET" && tagged;
}

/** Headers of a success. */
export function answerHeaders(operation: AnyOperation): Json {
  const { rateClass, stability, deprecated, tagged, idempotent, isReference, changesSession } = operation;
  return references([
    "X-Request-Id",
    ...(rateClass === "none" ? [] : (["RateLimit-Policy", "RateLimit"] as const)),
    ...(stability === null ? [] : (["X-Errand-Stability"] as const)),
    ...(deprecated === null ? [] : (["Deprecation", "Sunset"] as const)),
    ...(deprecated === null && !isPaged(operation) ? [] : (["Link"] as const)),
    ...(tagged ? (["ETag"] as const) : []),
    ...(idempotent !== null ? (["Idempotency-Replayed"] as const) : []),
    ...(isReference ? (["X-Errand-Ignored"] as const) : []),
    ...(changesSession ? (["Set-Cookie"] as const) : []),
  ]);
}

/** Whether it returns pages of `items`. */
function isPaged({ query, result }: AnyOperation): boolean {
  return "skip" in query.shape && result instanceof z.ZodObject && "items" in result.shape;
}

/** Headers of a 304. */
export function validatorHeaders(operation: AnyOperation): Json {
  const { "Set-Cookie": _, "Idempotency-Replayed": __, ...rest } = answerHeaders(operation);
  return rest;
}

/** Headers of a problem; null for any problem. */
export function problemHeaders(code: ErrorCode | null): Json {
  return references([
    "X-Request-Id",
    // Of every request that counted against a limit.
    ...(["RateLimit-Policy", "RateLimit"] as const),
    ...(code === "rate_limited" || code === "queue_full" ? (["Retry-After"] as const) : []),
  ]);
}

function references(names: (keyof typeof headers | keyof typeof deprecationHeaders)[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
