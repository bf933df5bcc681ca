import assert from "node:assert/strict";
import { errorTable, Problem } from "#lib/contract/error.ts";
import type { AnyOperation, MediaType } from "#lib/contract/operation.ts";
import type { Answered } from "./api-under-test.ts";

/** Checks the complete form of an error (/docs, "Errors"). */
export function checkProblem({ status, headers, json, text }: Answered, expected: number): void {
  assert.equal(status, expected, text.slice(0, 300));
  assert.equal(headers.get("content-type"), "application/problem+json; charset=utf-8");
  const problem = Problem.strict().parse(json);
  const known: Record<string, { status: number; title: string }> = errorTable;
  assert.deepEqual({ status: problem.status, title: problem.title }, known[problem.code]);
  // Older clients know the reference service's words for a limit.
  const isLimit = problem.detail.startsWith("Rate limit exceeded: ");
  const message = isLimit ? "Rate limit exceeded. Please try again later." : problem.detail;
  assert.deepEqual(
    [problem.status, problem.status_code, problem.message, problem.request_id],
    [status, status, message, headers.get("x-request-id")],
  );
}

/** Checks that a success has the requested type and, as JSON, exactly the operation's fields. */
export function checkSuccess(
  operation: AnyOperation,
  { status, headers, json, text }: Answered,
  type: MediaType,
): void {
  assert.equal(status, 200, text.slice(0, 300));
  assert.equal(headers.get("content-type")?.split(";")[0], type);
  if (type === "application/json") assert.deepEqual(operation.result.parse(json), json);
}

/** `loc` of the first invalid field of a problem. */
export function locOf({ json }: Answered): (string | number)[] {
  return (json.errors as { loc: (string | number)[] }[] | undefined)?.[0]?.loc ?? [];
}
