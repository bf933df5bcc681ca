import { type ApiError, errorTable, type Problem } from "#lib/contract/error.ts";
import type { Answer } from "./answer.ts";

/** The media type of every error (RFC 9457). Generated clients look for "json" in it. */
export const problemType = "application/problem+json; charset=utf-8";

/** Headers of every response: browsers trust its content type, and give it to no page of another origin. */
export const ownOriginHeaders = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** An error as a problem response. `target` is the request's path and query; only the path is included. */
export function problemAnswer(error: ApiError, target: string, requestId: string): Answer {
  const status = error.status;
  const problem: Problem = {
    type: "about:blank",
    title: errorTable[error.code].title,
    status,
    detail: error.message,
    instance: target.split("?", 1)[0] ?? target,
    request_id: requestId,
    code: error.code,
    message: error.olderMessage ?? error.message,
    status_code: status,
    ...(error.fields.length > 0 ? { errors: error.fields } : {}),
    ...(error.agentRunId === null ? {} : { agent_run_id: error.agentRunId }),
  };
  const body = Buffer.from(JSON.stringify(problem));
  return {
    status,
    headers: {
      "content-type": problemType,
      "cache-control": "no-store",
      ...error.headers,
      ...ownOriginHeaders,
      "x-request-id": requestId,
      "content-length": String(body.length),
    },
    body: [body],
  };
}
