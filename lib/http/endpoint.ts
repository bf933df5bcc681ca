import { authenticate } from "#lib/auth/authenticate.ts";
import { findMember, requireScope } from "#lib/auth/authorize.ts";
import { refuseCrossSite } from "#lib/auth/same-origin.ts";
import { findSessionSecret } from "#lib/auth/session-cookie.ts";
import { ApiError } from "#lib/contract/error.ts";
import type { AnyOperation, BodyOf, ParamsOf, QueryOf } from "#lib/contract/operation.ts";
import type { CallerContext, OrganizationContext, ServiceContext } from "#lib/service/service-context.ts";
import { type Answer, toResponse } from "./answer.ts";
import { type Call, callOf } from "./call.ts";
import { parseInput } from "./field-errors.ts";
import { answerOnce } from "./idempotency.ts";
import { parseQuery, repeatableNames } from "./parse-query.ts";
import { presentReply } from "./present-reply.ts";
import { problemAnswer } from "./problem.ts";
import { parseJson, readBody } from "./read-body.ts";
import { requestIdOf } from "./request-id.ts";
import { getRuntime, type HttpRuntime } from "./runtime-access.ts";
import { secrets } from "./secrets.ts";

/** What a verb gets beside its context: parsed and bounded by the operation's schemas. */
export type Input<O extends AnyOperation, Quick = never> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O> | Quick;
};

/** Reads a body in a way of its own, as strictly as the operation's schema; null leaves it to that. */
export type QuickReader<Quick> = (bytes: Uint8Array) => Quick | null;

/** Below an organization a verb knows the member, elsewhere the caller. */
export type ContextOf<O extends AnyOperation> =
  ParamsOf<O> extends { org_id: number } ? OrganizationContext : CallerContext;

type RouteContext = { params: Promise<Record<string, string> | undefined> };

/** An operation as a route exports it: the signature of a Next route handler, and the same without a Request for the front. */
export type Endpoint = {
  /** Next gives `params` undefined where the path has none. */
  (request: Request, context: RouteContext): Promise<Response>;
  readonly operation: AnyOperation;
  answer(call: Call, params: Record<string, string>): Promise<Answer>;
};

/**
 * An operation as its route exports it. Every request goes: id, authentication, path, organization, scope, admission, query,
 * body, verb, presentation (the last three once a key where the operation takes one). Every answer carries X-Request-Id; whatever is thrown becomes a problem (api.md, "Errors").
 */
export function endpoint<O extends AnyOperation, Quick = never>(
  operation: O,
  verb: (context: ContextOf<O>, input: Input<O, Quick>) => unknown,
  readQuickly: QuickReader<Quick> | null = null,
): Endpoint {
  if (operation.scope === null) throw new Error(`${operation.id} needs no authentication: use publicEndpoint`);
  const readInput = inputReader(operation, readQuickly);
  return makeEndpoint(operation, async (call, given, runtime, requestId) => {
    const caller = await authenticate(call, runtime.store, runtime.publicUrl);
    const params = readInput.params(given);
    const organizationId = "org_id" in params ? Number(params.org_id) : null;
    const context: CallerContext = Object.assign(contextOf(call, runtime), { caller });
    if (organizationId !== null) {
      const member = await findMember(caller, organizationId, runtime.store);
      if (operation.scope !== null && operation.scope !== "any") requireScope(member, operation.scope);
      Object.assign(context, { member, access: { organizationId, userId: caller.userId } });
    }
    const header = (name: string) => call.header(name);
    const admitted = await runtime.admit?.({ operation, caller, organizationId, requestId, header });
    const answer = await answerOnce(call, { operation, caller, params }, runtime.store, async () => {
      const { bytes, ...rest } = await readInput.rest(call);
      const work = async (store: ServiceContext["store"]) => {
        context.store = store;
        // An operation has org_id in its path exactly where ContextOf asks for a member: both read the same schema.
        const reply = await verb(context as ContextOf<O>, { params, ...rest });
        return await presentReply(reply, operation, call, runtime.publicUrl);
      };
      return { bytes, work };
    });
    if (admitted !== undefined) Object.assign(answer.headers, admitted);
    return answer;
  });
}

/** {@link endpoint} for the operations that need no authentication (`scope` null). */
export function publicEndpoint<O extends AnyOperation>(
  operation: O,
  verb: (context: ServiceContext, input: Input<O>) => unknown,
): Endpoint {
  if (operation.scope !== null) throw new Error(`${operation.id} needs authentication: use endpoint`);
  const readInput = inputReader<O, never>(operation, null);
  return makeEndpoint(operation, async (call, given, runtime) => {
    refuseCrossSite(call, runtime.publicUrl);
    const params = readInput.params(given);
    const { query, body } = await readInput.rest(call);
    const reply = await verb(contextOf(call, runtime), { params, query, body });
    return await presentReply(reply, operation, call, runtime.publicUrl);
  });
}

type Work = (call: Call, params: Record<string, string>, runtime: HttpRuntime, requestId: string) => Promise<Answer>;

function makeEndpoint(operation: AnyOperation, work: Work): Endpoint {
  const answer = async (call: Call, params: Record<string, string>): Promise<Answer> => {
    const requestId = requestIdOf(call.header("x-request-id"));
    try {
      const runtime = getRuntime();
      try {
        const given = await work(call, params, runtime, requestId);
        given.headers["x-content-type-options"] = "nosniff";
        given.headers["x-request-id"] = requestId;
        if (operation.bearsSecret) keepSecret(given);
        if (operation.stability !== null) given.headers["x-errand-stability"] = operation.stability;
        return given;
      } catch (error) {
        const problem = problemAnswer(visible(error, operation, requestId, runtime), call.target, requestId);
        if (operation.bearsSecret) keepSecret(problem);
        return problem;
      }
    } catch (cause) {
      return problemAnswer(new ApiError("unavailable", "The service is starting.", { cause }), call.target, requestId);
    }
  };
  const respond = async (request: Request, context: RouteContext) =>
    toResponse(await answer(callOf(request), (await context.params) ?? {}), request.method);
  return Object.assign(respond, { operation, answer });
}

function keepSecret({ headers }: Answer): void {
  // An event stream says more: that nothing on the way may change it.
  headers["cache-control"] = headers["cache-control"]?.startsWith("no-store") ? headers["cache-control"] : "no-store";
  headers["x-robots-tag"] = "noindex, nofollow";
  headers["referrer-policy"] = "no-referrer";
}

const noBytes = new Uint8Array();

function inputReader<O extends AnyOperation, Quick>(operation: O, readQuickly: QuickReader<Quick> | null) {
  const repeatables = repeatableNames(operation.query);
  const takesQuery = Object.keys(operation.query.shape).length > 0;
  const takesBody = operation.body.def.type !== "undefined";
  return {
    params(given: Record<string, string>): ParamsOf<O> {
      return parseInput(operation.params, given, "path") as ParamsOf<O>;
    },
    async rest(call: Call): Promise<{ query: QueryOf<O>; body: BodyOf<O> | Quick; bytes: Uint8Array }> {
      const query = takesQuery ? parseQuery(call.target, repeatables) : {};
      const bytes = takesBody ? await readBody(call, operation.bodyBytesMax) : noBytes;
      const quick = readQuickly?.(bytes) ?? null;
      // The casts rest on parseInput: its result is the output of the very schema that QueryOf and BodyOf name.
      return {
        query: parseInput(operation.query, query, "query") as QueryOf<O>,
        body: quick ?? ((takesBody ? parseInput(operation.body, parseJson(bytes), "body") : undefined) as BodyOf<O>),
        bytes,
      };
    },
  };
}

function contextOf(call: Call, runtime: HttpRuntime): ServiceContext {
  return {
    store: runtime.store,
    scanner: runtime.scanner,
    publicUrl: runtime.publicUrl,
    inspectRepository: runtime.inspectRepository,
    now: runtime.now,
    secrets,
    get signal() {
      return call.signal;
    },
    sessionSecret: findSessionSecret(call.header("cookie")),
    lastEventId: call.header("last-event-id"),
  };
}

/** The error that the caller sees. What is not an ApiError is a defect or a failure of ours: logged once, here, with its cause. */
function visible(error: unknown, operation: AnyOperation, requestId: string, runtime: HttpRuntime): ApiError {
  if (error instanceof ApiError && error.status < 500) return error;
  runtime.logger.error({ err: error, operation: operation.id, requestId }, "a request failed");
  if (error instanceof ApiError) return error;
  return new ApiError("internal", `Something went wrong here. The log tells more under request id ${requestId}.`);
}
