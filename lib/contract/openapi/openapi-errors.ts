import { z } from "zod";
import type { ErrorCode } from "#lib/contract/error.ts";
import { type AnyOperation, organizationIn } from "#lib/contract/operation.ts";

/**
 * Errors of an operation, one per status. Excludes what any request may get: an unknown host (421), and failures of the service
 * itself (500, 503, 507). A test provokes each of them and finds no others.
 */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const { method, path, scope, idempotent, rateClass, sessionOnly, takesPassword, ifMatch, refusals } = operation;
  const hasBody = takesBody(operation);
  const inOrganization = organizationIn(operation) !== null;
  const when: [ErrorCode, boolean][] = [
    ["invalid_parameters", hasBody || hasBoundedInput(operation) || idempotent !== null || refusesKey(operation)],
    ["unauthenticated", scope !== null],
    // A page of another site can make a browser send changes, with or without a session.
    ["forbidden", inOrganization || method !== "GET" || sessionOnly],
    ["not_found", /\{(?!org_id)/.test(path) || namedInBody(operation).length > 0],
    ["method_not_allowed", true],
    ["conflict", idempotent === "once"],
    ["precondition_failed", ifMatch],
    ["body_too_large", hasBody],
    ["unsupported_media_type", hasBody],
    ["idempotency_mismatch", idempotent === "once" && hasInputOfItsOwn(operation)],
    ["rate_limited", rateClass !== "none" || takesPassword],
  ];
  return [...new Set([...when.filter(([, can]) => can).map(([code]) => code), ...refusals])];
}

/** Whether two requests of one caller in an organization can differ. */
function hasInputOfItsOwn({ path, body }: AnyOperation): boolean {
  const fields: object = "shape" in body ? Object(body.shape) : {};
  return /\{(?!org_id)/.test(path) || Object.keys(fields).some((name) => name !== "org_id");
}

/** Whether an Idempotency-Key is an error. */
export function refusesKey({ method, scope, idempotent }: AnyOperation): boolean {
  return method === "POST" && scope !== null && idempotent === null;
}

/** Whether the operation reads a body. */
export function takesBody({ body }: AnyOperation): boolean {
  return body.def.type !== "undefined";
}

/** Body fields that name an object which may be missing. */
export function namedInBody({ body }: AnyOperation): string[] {
  const fields: object = "shape" in body ? Object(body.shape) : {};
  return ["agent_run_id", "repo_id", "endpoint_id"].filter((name) => name in fields);
}

/** Whether some text in the path or in the query can be refused. The secret of a link may be any text. */
function hasBoundedInput({ params, query }: AnyOperation): boolean {
  const isBounded = (schema: z.core.$ZodType) => !z.safeParse(schema, "").success;
  return Object.keys(query.shape).length > 0 || Object.values(params.shape).some(isBounded);
}
