import type { ErrorCode } from "./error.ts";
import { rateHeaders } from "./openapi-rates.ts";
import type { AnyOperation } from "./operation.ts";

type Json = Record<string, unknown>;

/** The headers of a deprecated operation's answers. */
const deprecationHeaders = {
  Deprecation: {
    description: "Since when the operation is deprecated: @ and seconds since 1970 (RFC 9745)",
    schema: { type: "string", pattern: "^@\\d+$" },
  },
  Sunset: {
    description: "From when on the operation may no longer work: a date of HTTP (RFC 8594)",
    schema: { type: "string" },
  },
  Link: {
    description: 'Where it says what to do instead of a deprecated operation: rel="deprecation"',
    schema: { type: "string" },
  },
};

/** The headers of every other answer. */
const headers = {
  "X-Request-Id": {
    description: "The request's id, to be found in the log; the client's own where it sent one",
    schema: { type: "string", pattern: "^[\\w.-]{1,64}$" },
  },
  "X-Errand-Stability": {
    description: "alpha: the operation may change after 30 days' notice",
    schema: { type: "string", const: "alpha" },
  },
  ETag: {
    description: "Names this answer: sent back as If-None-Match, it asks for another one only",
    schema: { type: "string", pattern: '^W/"[^"]+"$' },
  },
  "Idempotency-Replayed": {
    description: "true where the answer is that of an earlier request with the same Idempotency-Key",
    schema: { type: "string", const: "true" },
  },
  "Set-Cookie": {
    description: "Begins or ends the session of a browser",
    schema: { type: "string" },
  },
  ...rateHeaders,
};

/** components/headers: those that the answers of these operations have. */
export function describeHeaders(operations: readonly AnyOperation[]): Json {
  return operations.some(({ deprecated }) => deprecated !== null) ? { ...headers, ...deprecationHeaders } : headers;
}

/** Operations whose answers have an ETag. A test holds them against what is answered. */
const keepable: ReadonlySet<string> = new Set([
  "acceptSetup",
  "deleteSetup",
  "getAnalysis",
  "getDiff",
  "getLogEntry",
  "getLogPosition",
  "getLogs",
  "getLogTools",
  "getOpenapi",
  "getOutline",
  "getRun",
  "getSetup",
  "getTimeline",
]);

/** Operations that begin or end a session. */
const changesSession: ReadonlySet<string> = new Set([
  "acceptInvitation",
  "finishOidc",
  "resetPassword",
  "signIn",
  "signInWithPassword",
  "signOut",
]);

/** Whether a client may keep the answer and ask whether it is still the same. */
export function isKeepable({ id, method }: AnyOperation): boolean {
  return method === "GET" && keepable.has(id);
}

/** The headers of a success. */
export function answerHeaders(operation: AnyOperation): Json {
  const { id, rateClass, stability, deprecated, idempotent } = operation;
  return references([
    "X-Request-Id",
    ...(rateClass === "none" ? [] : (["RateLimit-Policy", "RateLimit"] as const)),
    ...(stability === null ? [] : (["X-Errand-Stability"] as const)),
    ...(deprecated === null ? [] : (["Deprecation", "Sunset", "Link"] as const)),
    ...(keepable.has(id) ? (["ETag"] as const) : []),
    ...(idempotent ? (["Idempotency-Replayed"] as const) : []),
    ...(changesSession.has(id) ? (["Set-Cookie"] as const) : []),
  ]);
}

/** The headers of an answer that says that nothing has changed. */
export function validatorHeaders(operation: AnyOperation): Json {
  const { "Set-Cookie": _, "Idempotency-Replayed": __, ...rest } = answerHeaders(operation);
  return rest;
}

/** The headers of a problem; null for any problem. */
export function problemHeaders(code: ErrorCode | null): Json {
  const isLimited = code === "rate_limited";
  return references([
    "X-Request-Id",
    ...(isLimited ? (["RateLimit-Policy", "RateLimit", "Retry-After"] as const) : []),
  ]);
}

function references(names: (keyof typeof headers | keyof typeof deprecationHeaders)[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
