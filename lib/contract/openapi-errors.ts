import { z } from "zod";
import type { ErrorCode } from "./error.ts";
import { type AnyOperation, organizationIn } from "./operation.ts";

/** Operations that the state of their objects can refuse, besides those that take an Idempotency-Key. */
const mayConflict: ReadonlySet<string> = new Set([
  "acceptInvitation",
  "acceptSetup",
  "answerQuestion",
  "createLinkCode",
  "deleteIntegration",
  "deleteLink",
  "deleteRepository",
  "deleteRun",
  "deleteSetup",
  "editTurn",
  "generateSetup",
  "generateSlackToken",
  "listBranches",
  "listLinks",
  "openPullRequest",
  "pushRun",
  "putIntegration",
  "putLink",
  "rebuildSetup",
  "removeMember",
  "resendDelivery",
  "signInToAgent",
  "testIntegration",
  "updateMe",
  "updateMember",
  "withdrawTurn",
]);

/** Operations on a repository named in the query; elsewhere it only filters. */
export const namesRepository: ReadonlySet<string> = new Set(["getCheckSuiteSettings", "putCheckSuiteSettings"]);

/** Operations that call external services, which may be down: a code host, a sign-in provider. */
export const asksOthers: ReadonlySet<string> = new Set([
  "editPullRequest",
  "editRepositoryPullRequest",
  "finishOidc",
  "startOidc",
]);

/** Operations whose sender is identified by a signature. */
const isSigned: ReadonlySet<string> = new Set(["receiveEvent"]);

/** Operations that take a secret, without a rate class: wrong ones are counted by address, and too many give 429. */
const takesSecret: ReadonlySet<string> = new Set(["getInvitation", "getPasswordReset", "receiveEvent", "signIn"]);

/**
 * Errors of an operation, one per status. Excludes what any request may get: an unknown host (421), and failures of the service
 * itself (500, 503, 507). A test provokes each of them and finds no others.
 */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const { id, method, path, scope, idempotent, rateClass, sessionOnly, takesPassword } = operation;
  const hasBody = takesBody(operation);
  const inOrganization = organizationIn(operation) !== null;
  const when: [ErrorCode, boolean][] = [
    ["invalid_parameters", hasBody || hasBoundedInput(operation)],
    ["unauthenticated", scope !== null || isSigned.has(id)],
    // A page of another site can make a browser send changes, with or without a session.
    ["forbidden", inOrganization || method !== "GET" || sessionOnly],
    ["not_found", /\{(?!org_id)/.test(path) || namedInBody(operation).length > 0 || namesRepository.has(id)],
    ["method_not_allowed", true],
    ["conflict", idempotent || mayConflict.has(id)],
    ["body_too_large", hasBody],
    ["unsupported_media_type", hasBody],
    ["idempotency_mismatch", idempotent],
    ["rate_limited", rateClass !== "none" || takesPassword || takesSecret.has(id)],
    ["unavailable", id === "getReadiness" || asksOthers.has(id)],
  ];
  return when.filter(([, can]) => can).map(([code]) => code);
}

/** Whether the operation reads a body. */
export function takesBody({ body }: AnyOperation): boolean {
  return body.def.type !== "undefined";
}

/** Body fields that name an object which may be missing. */
export function namedInBody({ body }: AnyOperation): string[] {
  const fields: object = "shape" in body ? Object(body.shape) : {};
  return ["agent_run_id", "repo_id"].filter((name) => name in fields);
}

/** Whether some text in the path or in the query can be refused. The secret of a link may be any text. */
function hasBoundedInput({ params, query }: AnyOperation): boolean {
  const isBounded = (schema: z.core.$ZodType) => !z.safeParse(schema, "").success;
  return Object.keys(query.shape).length > 0 || Object.values(params.shape).some(isBounded);
}
